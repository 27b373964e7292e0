import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { build } from 'esbuild';
import { block, documentText } from '../../_documented.js';
import { nodeOf, projectWith } from '../../_package.js';
import { freePort } from '../../postgres/_embedded.js';
import { toolFile } from '../_tools.js';

/** Other programs that run JavaScript, with Node's API. Their packages are for Linux on x64. */
const runtimes = [
  { name: 'Bun', program: toolFile('node_modules/@oven/bun-linux-x64-baseline/bin/bun'), words: [] },
  { name: 'Deno', program: toolFile('node_modules/@deno/linux-x64-glibc/deno'), words: ['run', '-A'] },
].filter(({ program }) => existsSync(program));

const script = `
import { fetchHandler } from 'triage-api/fetch-handler';
import acme from 'triage-api/fixtures/acme.json' with { type: 'json' };
const api = fetchHandler(acme);
const ask = async (path) => {
  const headers = { Authorization: 'Bearer ' + api.token };
  const response = await api(new Request('http://localhost' + path, { headers }));
  return [response.status, await response.json()];
};
const [status, finding] = await ask('/api/v1/findings/fix_0007');
const [missing] = await ask('/api/v1/findings/none');
console.log([status, finding.id, missing].join(' '));
`;

test('npm has installed Bun and Deno', (t) => {
  t.is(runtimes.length, process.platform === 'linux' && process.arch === 'x64' ? 2 : 0);
});

for (const { name, program, words } of runtimes) {
  test(`the fetch handler answers on ${name}`, async (t) => {
    const project = await projectWith(t, { 'script.js': script });
    t.is(await nodeOf(program, project, [...words, 'script.js']), '200 fix_0007 404\n');
  });

  test(`serve starts, answers and stops on ${name}, also while a connection is kept open`, async (t) => {
    const project = await projectWith(t, {});
    const bin = join(project, 'node_modules/triage-api/bin/triage-api.js');
    const server = spawn(program, [...words, bin, 'serve', '--port', '0'], { cwd: project });
    t.teardown(() => server.kill('SIGKILL'));
    const exited = once(server, 'exit');
    let printed = '';
    const url = await new Promise<string>((resolve) => {
      for (const stream of [server.stdout, server.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          printed += chunk;
          const [, address] = /listening on (http:\S+)/.exec(printed) ?? [];
          if (address !== undefined) resolve(address);
        });
      }
      void exited.then(() => resolve(''));
    });
    const agent = new Agent({ keepAlive: true });
    t.teardown(() => agent.destroy());
    const statuses: unknown[] = [];
    for (const path of ['/api/v1/findings?limit=2', '/api/v1/prs', '/', '/explore', '/nowhere', '/healthz']) {
      const headers = { cookie: 'session=acme-session' };
      const [response] = await once(get(`${url}${path}`, { agent, headers }), 'response');
      await text(response);
      statuses.push(response.statusCode);
    }
    t.deepEqual(statuses, [200, 200, 200, 200, 404, 200], printed);
    server.kill('SIGTERM');
    const [code] = await exited;
    t.is(code, 0, printed);
  });
}

const workerd = toolFile('node_modules/@cloudflare/workerd-linux-64/bin/workerd');

(existsSync(workerd) ? test : test.skip)('the documented worker answers on Cloudflare Workers', async (t) => {
  const port = await freePort();
  const project = await projectWith(t, {
    'worker.mjs': block(documentText('msw.md'), 'js worker.mjs'),
    'config.capnp': `using Workerd = import "/workerd/workerd.capnp";
const modules :List(Workerd.Worker.Module) = [(name = "worker", esModule = embed "bundle.mjs")];
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = .modules, compatibilityDate = "2026-11-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`,
  });
  const entryPoints = [join(project, 'worker.mjs')];
  const outfile = join(project, 'bundle.mjs');
  const conditions = ['workerd', 'worker', 'browser'];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', conditions });
  const server = spawn(workerd, ['serve', 'config.capnp'], { cwd: project });
  t.teardown(() => server.kill('SIGKILL'));
  let printed = '';
  server.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const statusOf = (path: string): Promise<number | null> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => null,
    );
  while ((await statusOf('/healthz')) === null) {
    if (server.exitCode !== null) return t.fail(printed);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const paths = ['/api/v1/findings', '/api/v1/prs', '/login', '/__admin/faults', '/nowhere'];
  t.deepEqual(await Promise.all(paths.map(statusOf)), [200, 200, 200, 200, 404], printed);
});
