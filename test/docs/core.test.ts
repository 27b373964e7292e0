import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { serveWith } from '../_server.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const example = join(root, 'examples/core/server.js');

/** What the example exports, as any program of `fetch` would run it. */
const load = async (): Promise<(request: Request) => Promise<Response>> => {
  const { default: program } = await import(example);
  return program.fetch;
};

test('the service of rows alone that the README shows keeps every must of the contract', async (t) => {
  const answer = await load();
  const url = await serveWith(t, async (request, response) => {
    const { url: target = '', method = '', headers } = request;
    const lines = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answered = await answer(new Request(`http://${headers.host}${target}`, { method, headers: lines }));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, 'bin/triage-api.js'),
    ...['verify', '--url', url, '--min-exercised', '80', '--session', 'ann-session', '--token', 'ann-token'],
    ...['--other-session', 'ben-session', '--other-token', 'ben-token'],
    ...['--expired-session', 'ann-old-session', '--expired-token', 'ann-old-token'],
  ]);
  t.regex(stdout, /^must: 1\d\d passed, 0 failed/m);
});

test('the README shows how the example is composed', async (t) => {
  const [readme, program] = await Promise.all(
    [join(root, 'README.md'), example].map((file) => readFile(file, 'utf8')),
  );
  for (const line of program?.match(/^(?:import|export) .*$/gm) ?? []) t.true(readme?.includes(line), line);
});

test('invalid tenants of the core are refused, with every problem', async (t) => {
  const { memory } = await import('triage-api/core');
  t.throws(() => memory([{ userId: 'ann', sessions: { s: 'tomorrow' }, tokens: {}, repos: [{}] }]), {
    instanceOf: TypeError,
    message: /sessions\/s: .*\n[\s\S]*repos\/0\/id/,
  });
});
