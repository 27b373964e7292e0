import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { documentedOutcomes, outcomeThrough } from '../_cut-connections.js';
import { block, documentText } from '../_documented.js';
import { journey, ownPage, visit, worksThroughout } from '../_page-journey.js';
import { listen } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { selfSigned } from '../security/_self-signed.js';
import { startNginx } from './_nginx.js';

const page = documentText('testing.md');

/** The words after `triage-api serve` in a line of the page. */
const wordsOf = (line: RegExp): readonly string[] => (line.exec(page)?.[1] ?? '').split(' ');

/** Starts a server with these options, and an nginx in front of it, without TLS: the URL of the nginx. */
const started = async (t: ExecutionContext, words: readonly string[], config: string): Promise<string> => {
  const { url } = await listen(t, words);
  const nginx = await startNginx((port) =>
    config
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *ssl_certificate.*\n/gm, '')
      .replaceAll('http://127.0.0.1:4000', url)
      .replaceAll('$scheme', 'https'),
  );
  t.teardown(nginx.stop);
  return nginx.url;
};

const oneHost = block(page, 'nginx one-host');

/** A directory that the processes of nginx can read. */
const publicDirectory = async (t: ExecutionContext): Promise<string> => {
  const directory = await directoryWith(t, {});
  await chmod(directory, 0o755);
  const files = { 'index.html': '<!doctype html><title>app</title>', [ownPage.path]: ownPage.content };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, name), content, { mode: 0o644 });
  return directory;
};

/** How the documented server is started. */
const words = wordsOf(/^nginx, with `triage-api serve (.*)`:$/m);

test('visitors log in and sign up on the pages of the server, through nginx with TLS', async (t) => {
  const { url: target } = await listen(t, words);
  const folder = await publicDirectory(t);
  const certificate = await directoryWith(t, { 'app.pem': selfSigned.cert, 'app.key': selfSigned.key });
  const nginx = await startNginx((port) =>
    oneHost
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`)
      .replaceAll('/etc/nginx/', `${certificate}/`)
      .replace('/srv/app', folder)
      .replace('http://127.0.0.1:4000', target),
  );
  t.teardown(nginx.stop);
  await visit(t, nginx.url.replace('http://127.0.0.1', 'https://app.example.com'));
});

test('a page logs in through the nginx that serves it', async (t) => {
  const folder = await publicDirectory(t);
  const url = await started(t, words, oneHost.replace('root /srv/app;', `root ${folder};`));
  t.regex(await (await fetch(`${url}/anything`)).text(), /<title>app/);
  const { statuses, cookie } = await journey(url, 'https://app.example.com');
  t.deepEqual(statuses, worksThroughout);
  t.regex(cookie, /; samesite=lax; secure; httponly$/);
  t.deepEqual((await journey(url, 'https://app.test')).statuses, [421]);
});

test('a page learns through nginx that a connection was cut, as the table of simulations says', async (t) => {
  const folder = await publicDirectory(t);
  const url = await started(t, ['--trust-proxy'], oneHost.replace('root /srv/app;', `root ${folder};`));
  t.deepEqual(
    [await outcomeThrough(url, 'cut'), await outcomeThrough(url, 'drop')],
    documentedOutcomes('nginx'),
  );
});

test('pages of another site log in directly', async (t) => {
  const words = wordsOf(/^triage-api serve (--trust-proxy .* --cross-site-cookies)$/m);
  // The page: it forwards everything, with the same headers.
  const config = oneHost
    .replace('server_name app.example.com;', 'server_name api.example.net;')
    .replace(/ {2}location \/ \{[^}]*\}\n/, '')
    .replace(/location ~ \S+/, 'location /');
  const url = await started(t, words, config);
  for (const origin of ['https://app.example.com', 'https://pr-12.preview.example.com']) {
    const { statuses, cookie } = await journey(url, origin, 'api.example.net');
    t.deepEqual(statuses, worksThroughout, origin);
    t.regex(cookie, /; samesite=none; secure; httponly; partitioned$/);
  }
  for (const origin of ['https://preview.example.com', 'https://evil.test']) {
    t.deepEqual((await journey(url, origin, 'api.example.net')).statuses, [403], origin);
  }
});
