/** Whether a host name or an address, without a port, is that of this machine's loopback interface. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i.test(host);
