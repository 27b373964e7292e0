import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { block, documentText } from '../_documented.js';
import { journey, worksThroughout } from '../_page-journey.js';
import { listen } from '../cli/_cli.js';
import { directoryWith } from '../storage/memory/_directory.js';
import { type FrontEnd, startFrontEnd } from './_front-ends.js';
import { startRewrites } from './_next-rewrites.js';

const page = documentText('testing.md');

const frontEnd = async (
  t: ExecutionContext,
  name: FrontEnd,
  config: string,
  target: string,
): Promise<string> => {
  const files = {
    vite: { 'vite.config.mjs': config, 'index.html': '<!doctype html><title>app</title>' },
    webpack: { 'webpack.config.mjs': config, 'src/index.js': '' },
  }[name];
  return startFrontEnd(t, name, files, { TRIAGE_API: target });
};

for (const name of ['vite', 'webpack'] as const) {
  test(`a page logs in through ${name} as its recipe says`, async (t) => {
    const config = block(page, `js ${name}.config.mjs`);
    const { url: target } = await listen(t, ['--allowed-host', 'app.localhost']);
    const url = await frontEnd(t, name, config, target);
    t.deepEqual((await journey(url, url)).statuses, worksThroughout);
    t.deepEqual((await journey(url, url.replace('127.0.0.1', 'localhost'))).statuses, worksThroughout);
    t.deepEqual((await journey(url, url.replace('127.0.0.1', 'app.localhost'))).statuses, worksThroughout);
  });
}

test('what drops the connection is answered by the proxy of vite, which would wait for ever for the rest of a body', async (t) => {
  const { url: target } = await listen(t, []);
  const url = await frontEnd(t, 'vite', block(page, 'js vite.config.mjs'), target);
  const headers = { Cookie: 'session=acme-session', Prefer: 'drop' };
  await t.throwsAsync(fetch(`${target}/api/v1/repos`, { headers }), { instanceOf: TypeError });
  t.is((await fetch(`${url}/api/v1/repos`, { headers })).status, 502);
});

test('with changeOrigin, a page elsewhere is refused, and what the message names helps', async (t) => {
  const changing = block(page, 'js vite.config.mjs').replace(
    '{ target }',
    '{ target, changeOrigin: true, xfwd: true }',
  );
  const config = changing.replace('server: {', "server: { allowedHosts: ['app.test'],");
  t.not(config, changing);
  const origin = (url: string): string => url.replace('127.0.0.1', 'app.test');
  const refusing = await listen(t, []);
  const refused = await frontEnd(t, 'vite', config, refusing.url);
  t.deepEqual((await journey(refused, origin(refused))).statuses, [403]);
  const trusting = await listen(t, ['--trust-proxy', '--allowed-host', 'app.test']);
  const accepted = await frontEnd(t, 'vite', config, trusting.url);
  t.deepEqual((await journey(accepted, origin(accepted))).statuses, worksThroughout);
});

test('the rewrites for Next.js lead to the server, and nothing else does', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'next.config.mjs');
  const { url } = await listen(t, ['--trust-proxy', '--allowed-host', 'app.test']);
  await writeFile(file, block(page, 'js next.config.mjs').replace('http://127.0.0.1:4000', url));
  const { default: config } = await import(pathToFileURL(file).href);
  const front = await startRewrites(t, await Object(config).rewrites());
  for (const origin of [front, front.replace('127.0.0.1', 'app.test')]) {
    t.deepEqual((await journey(front, origin)).statuses, worksThroughout, origin);
  }
  for (const path of ['/', '/dashboard', '/loginx', '/login/x', '/api/v2/repos', '/api/hello']) {
    t.is(await (await fetch(`${front}${path}`)).text(), 'a page of the front end', path);
  }
});
