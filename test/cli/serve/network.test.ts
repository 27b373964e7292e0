import { join } from 'node:path';
import test from 'ava';
import { raw } from '../../_raw.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, run } from '../_cli.js';

const get = (host: string, ...headers: readonly string[]): string =>
  ['GET /api/v1/repos HTTP/1.1', `Host: ${host}`, ...headers, 'Connection: close', '', ''].join('\r\n');

test('serve answers for localhost and for the hosts that its option or the environment names', async (t) => {
  const { url } = await listen(t, [], { TRIAGE_ALLOWED_HOST: 'triage.test, .example.com' });
  for (const [host, status] of [
    ['localhost', '401'],
    ['triage.test', '401'],
    ['a.example.com', '401'],
    ['evil.test', '421'],
  ] as const) {
    t.is((await raw(url, get(host))).slice(9, 12), status, host);
  }
});

test('serve prints its addresses with the base path, which the environment or a config file may name', async (t) => {
  const folder = await directoryWith(t, { 'triage-api.config.json': '{"basePath": "/from/file"}' });
  const config = ['--config', join(folder, 'triage-api.config.json')];
  for (const [words, environment, basePath] of [
    [['--base-path', '/mock'], { TRIAGE_BASE_PATH: '/x' }, '/mock'],
    [[], { TRIAGE_BASE_PATH: '/x' }, '/x'],
    [config, {}, '/from/file'],
  ] as const) {
    const { url, err } = await listen(t, words, environment);
    const addresses = Array.from(err().matchAll(/http:[^\s']*[^\s':]/g), ([address]) => new URL(address));
    t.is(addresses.length, 8);
    for (const { pathname, href } of addresses)
      t.true(pathname === basePath || pathname.startsWith(`${basePath}/`), href);
    const { code, out } = await run(['healthcheck', '--url', `${url}/`]);
    t.deepEqual([code, out], [0, 'ready\n']);
  }
});

for (const [words, isAllowed] of [
  [[], true],
  [['--no-localhost-cors'], false],
  [['--allowed-host', 'app.localhost', '.LOCALHOST', '127.0.0.2', '[::1]'], true],
  [['--allowed-host', 'localhost', 'triage.test'], false],
  [['--allowed-host', 'triage.test', '--localhost-cors'], true],
] as const) {
  const title = `pages of this machine may ${isAllowed ? '' : 'not '}send credentials with`;
  test(`${title} ${words.join(' ') || 'no option'}`, async (t) => {
    const { url } = await listen(t, words);
    const answer = await raw(url, get('localhost', 'Origin: http://localhost:5173'));
    t.is(/^Access-Control-Allow-Origin: http:\/\/localhost:5173\r$/im.test(answer), isAllowed);
  });
}

for (const [words, expected] of [
  [['--allowed-host', 'https://triage.test'], /^--allowed-host: expected host names .*, got "https/],
  [['--cors-origin', '*'], /^--cors-origin: expected http or https origins .* of your own, got "\*"/],
  [['--render-cache', '-1'], /^--render-cache: expected a size from 0 to 16gb/],
  [['--base-path', 'mock'], /^--base-path: expected a path such .*, got "mock"/],
  [['--base-path', '/docs/x'], /^--base-path: expected a path that does not begin like those of the service/],
  [['--max-connections', '0'], /^--max-connections: expected a whole number from 1/],
] as const) {
  test(`serve ${words.join(' ')} is refused`, async (t) => {
    const { code, err } = await run(['serve', ...words]);
    t.is(code, 2);
    t.regex(err, expected);
  });
}

test('serve warns in one line about listed origins on other hosts, whose pages may not keep a session', async (t) => {
  const eventsOf = async (words: readonly string[]) => {
    const { err } = await listen(t, words);
    return Array.from(err().matchAll(/"event":"((?:pages of|--cross-site)[^"]*)"/g), ([, event]) =>
      event?.replace(/(but are on another host|without --https or --trust-proxy).*/, '$1'),
    );
  };
  const app = ['--cors-origin', 'https://app.team.test'];
  const api = ['--allowed-host', 'api.team.test'];
  const warning = ['pages of https://app.team.test may call this server, but are on another host'];
  t.deepEqual(await eventsOf(app), warning);
  t.deepEqual(await eventsOf([...app, ...api, '--trust-proxy']), warning);
  t.deepEqual(await eventsOf([...app, '--allowed-host', 'app.team.test']), []);
  t.deepEqual(await eventsOf([...app, '--allowed-host', '.team.test', '--trust-proxy']), []);
  t.deepEqual(await eventsOf([...app, '--host', '0.0.0.0', '--trust-proxy']), [], 'its name is unknown');
  t.deepEqual(await eventsOf([...app, '--trust-proxy', '--cross-site-cookies']), []);
  t.deepEqual(await eventsOf([...app, '--cross-site-cookies']), [
    '--cross-site-cookies has no effect without --https or --trust-proxy',
  ]);
  t.deepEqual(await eventsOf(['--cors-origin', 'http://127.0.0.1:3000', 'http://localhost:3000']), []);
  t.deepEqual(await eventsOf(['--cors-origin', 'https://*.team.test', 'https://app.team.test']), [
    'pages of https://*.team.test, https://app.team.test may call this server, but are on another host',
  ]);
});
