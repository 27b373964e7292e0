import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { ExecutionContext } from 'ava';
import * as t from 'io-ts';
import { frontEndFile } from './_front-ends.js';

const Rewrites = t.array(t.strict({ source: t.string, destination: t.string }));

/** The version of the package by which Next.js matches paths, as far as it is used here. */
type PathToRegexp = Readonly<{
  match: (source: string) => (path: string) => false | Readonly<{ params: object }>;
  compile: (path: string, options: Readonly<{ validate: boolean }>) => (params: object) => string;
}>;

/** Where the rewrites of a configuration of Next.js lead; null: to a page of the front end. */
const destinationOf = (rewrites: t.TypeOf<typeof Rewrites>): ((path: string) => string | null) => {
  const { match, compile }: PathToRegexp = createRequire(import.meta.url)(frontEndFile('path-to-regexp'));
  return (path) => {
    for (const { source, destination } of rewrites) {
      const matched = match(source)(path);
      if (matched === false) continue;
      const { origin } = new URL(destination.replaceAll(':path*', '').replaceAll(':page', ''));
      return `${origin}${compile(destination.slice(origin.length), { validate: false })(matched.params)}`;
    }
    return null;
  };
};

/**
 * Does with requests what the server of Next.js does with rewrites to another server: replaces `Host`, and
 * sends the original one as `X-Forwarded-Host`. Next.js itself takes 350 MB, so it is not installed for this.
 */
export const startRewrites = async (test: ExecutionContext, configured: unknown): Promise<string> => {
  if (!Rewrites.is(configured)) throw new Error('these are no rewrites');
  const find = destinationOf(configured);
  const server = createServer((incoming, outgoing) => {
    const [path = '', query] = (incoming.url ?? '').split('?');
    const destination = find(path);
    if (destination === null) {
      outgoing.end('a page of the front end');
      return;
    }
    const { host, ...headers } = incoming.headers;
    const target = new URL(query === undefined ? destination : `${destination}?${query}`);
    const forwarded = {
      ...headers,
      host: target.host,
      'x-forwarded-host': host,
      'x-forwarded-proto': 'http',
    };
    incoming.pipe(
      request(target, { method: incoming.method, headers: forwarded }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};
