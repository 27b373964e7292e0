import type { Server } from 'node:http';

/** Listens on a free port of loopback, prints the address, and stops at SIGTERM. */
export const announce = (server: Server): void => {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
  });
  process.once('SIGTERM', () => process.exit());
};
