import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';

/** Serves an empty page on a port of its own until the test ends; its scripts are run from the test. */
export const pageOnAPort = async (t: ExecutionContext): Promise<number> => {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><title>another page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
