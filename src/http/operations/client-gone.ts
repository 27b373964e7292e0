/** The status of a request whose client closed the connection before the response, as in nginx. */
export const clientGone = 499;
