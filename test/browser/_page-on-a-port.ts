import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';

const document = '<!doctype html><title>another page</title>';

/**
 * Serves an empty page on a port of its own until the test ends; its scripts are run from the test. `scripts`
 * are served at their paths.
 */
export const pageOnAPort = async (
  t: ExecutionContext,
  scripts: Readonly<Record<string, string>> = {},
): Promise<number> => {
  const server = createServer((request, response) => {
    const script = scripts[request.url ?? ''];
    response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script ?? document);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
