/** The headers of a request, by their names in lower case. */
export type RequestHeaders = Readonly<
  Record<string, string | readonly string[] | undefined> & {
    'accept-encoding'?: string | undefined;
    authorization?: string | undefined;
    cookie?: string | undefined;
    'if-none-match'?: string | undefined;
    origin?: string | undefined;
  }
>;

/** What is noted about a request while it is worked on, for logs and the journal. */
export type Notes = {
  requestId?: string;
  /** The id of the operation, or what a rule calls a page. */
  operation?: string;
  tenantId?: string;
  /** What was simulated. */
  simulated?: string;
  /** What the response warns of, without what may be a secret. */
  warning?: string;
  /** Why a page of another site has no session. */
  lostSession?: string;
};

/**
 * A request to the API, as everything in this room takes it. The names are those of the context that `http`
 * has for each request anyway: a server has nothing to convert, and makes no other object.
 */
export type ApiRequest = Readonly<{
  method: string;
  path: string;
  querystring: string;
  req: Readonly<{
    headers: RequestHeaders;
    /** The path and the query. */
    url?: string | undefined;
  }>;
  state: Notes;
}>;
