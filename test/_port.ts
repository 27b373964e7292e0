import type { Server } from 'node:net';

/** The port that a server of this process listens on. */
export const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port');
  return address.port;
};
