/** Why a server cannot listen, and what to do about it, in one line. */
export const listenProblem = (error: NodeJS.ErrnoException, host: string, port: number): string => {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use: stop what listens there, or choose another with --port (0 takes a free one)`;
    case 'EACCES':
      return `port ${port} on ${host} may not be used by this user: choose one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine: choose another with --host`;
    default:
      return `cannot listen on ${host}, port ${port}: ${error.message}`;
  }
};
