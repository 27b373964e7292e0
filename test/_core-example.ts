import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { serveWith } from './_server.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Loads the `fetch` that the example exports. */
const load = async (file: string): Promise<(request: Request) => Promise<Response>> => {
  const { default: program } = await import(file);
  return program.fetch;
};

/** Serves `examples/core/server.js`, or a copy, until the test ends. Returns what `verify` says of it. */
export const verifyCore = async (t: ExecutionContext, file: string): Promise<string> => {
  const answer = await load(file);
  const url = await serveWith(t, async (request, response) => {
    const { url: target = '', method = '', headers } = request;
    const lines = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answered = await answer(new Request(`http://${headers.host}${target}`, { method, headers: lines }));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  });
  return verify(url);
};

/** What `verify` says of a server of the tenants of the example. */
export const verify = async (url: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, 'bin/triage-api.js'),
    ...['verify', '--url', url, '--min-exercised', '80', '--session', 'ann-session', '--token', 'ann-token'],
    ...['--other-session', 'ben-session', '--other-token', 'ben-token'],
    ...['--expired-session', 'ann-old-session', '--expired-token', 'ann-old-token'],
  ]);
  return stdout;
};

/** What `verify` says of a server that keeps every must of the contract. */
export const everyMust = /^must: 1\d\d passed, 0 failed/m;
