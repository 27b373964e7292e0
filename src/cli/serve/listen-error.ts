/** Why a server cannot listen and what to do about it, in one line. `prefix`: of the options for it. */
export const formatListenError = (
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  prefix: '' | 'metrics-' = '',
): string => {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use: stop the other program, or choose a port with --${prefix}port (0: a free one)`;
    case 'EACCES':
      return `this user is not allowed to listen on port ${port} of ${host}: choose a port above 1023 with --${prefix}port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine: choose another one with --${prefix}host`;
    default:
      return `cannot listen on ${host}, port ${port}: ${error.message}`;
  }
};
