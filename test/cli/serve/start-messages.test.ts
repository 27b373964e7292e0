import test from 'ava';
import { baseUrl, exposureWarning, linesAtStart, localUrl } from '../../../src/cli/serve/start-messages.js';
import { aSession, aUser } from '../../_data.js';
import { bearer, cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, pasteRequests, sharedServer } from '../_cli.js';

test('the URLs of a server: where it listens, for this machine, and under the other name of this machine', (t) => {
  for (const [host, base, local, other] of [
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', 'localhost'],
    ['localhost', 'localhost', 'localhost', '127.0.0.1'],
    ['0.0.0.0', '0.0.0.0', '127.0.0.1', 'localhost'],
    ['::', '[::]', '[::1]', 'localhost'],
    ['192.0.2.1', '192.0.2.1', '192.0.2.1', null],
    ['example.test', 'example.test', 'example.test', null],
  ] as const) {
    const place = { host, port: 80 };
    t.is(baseUrl(place), `http://${base}:80`);
    t.is(localUrl(place), `http://${local}:80`);
    const [, line] = linesAtStart(place, 'ready', false, undefined);
    t.true(line?.startsWith(other === null ? 'listening on ' : `also at http://${other}:80: `), line);
  }
});

test('every host but loopback is exposed, and loopback behind a proxy and under a name that others use', (t) => {
  const alone = { host: '127.0.0.1', trustProxy: false, allowedHosts: [] };
  const warnings = (over: Partial<Parameters<typeof exposureWarning>[0]>) => {
    const settings = { ...alone, ...over };
    return exposureWarning(settings, { address: settings.host, port: 80 }, 'can sign in');
  };
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1'])
    t.deepEqual(warnings({ host }), [], host);
  for (const host of ['0.0.0.0', '::', '192.0.2.1', '127.evil.test', '10.127.0.1', 'box.test'])
    t.is(warnings({ host }).length, 1, host);
  t.is(warnings({ trustProxy: true }).length, 1);
  t.is(warnings({ allowedHosts: ['demo.test'] }).length, 1);
});

/** A server over the shipped fixtures that tests share. */
const shared = sharedServer(test, []);

test('serve prints one working request for each operation, and then where it listens', async (t) => {
  const { err, out, url } = shared();
  t.is(out(), '');
  t.regex(err(), /^triage-api: mock data from .*fixtures, not the real service\n/);
  t.regex(err(), /\nalso at http:\/\/localhost:\d+: .*\nlistening on http:\/\/127\.0\.0\.1:\d+\n/);
  t.deepEqual(
    Array.from(err().matchAll(/^ {2}curl -H '.*' '(.*)'$/gm), ([, each = '']) =>
      each.slice(url.length).replace(/fix_\d+/, '…'),
    ),
    ['/api/v1/repos', '/api/v1/findings?page=1&limit=5', '/api/v1/findings/…', '/api/v1/prs?status=open'],
  );
  t.is(await pasteRequests(shared(), '.'), '200 200 200 200');
});

test('serve prints working credentials of every tenant, and an address and a password that log in', async (t) => {
  const { err, url } = shared();
  const rows = Array.from(err().matchAll(/^ {2}(\w+) +(\w+-session) +(\w+-token)$/gm));
  t.deepEqual(
    rows.map(([, name]) => name),
    ['acme', 'boundary', 'demo', 'empty', 'large'],
  );
  for (const [, , session, token] of rows) {
    t.is((await fetch(`${url}/api/v1/repos`, cookie(session ?? ''))).status, 200);
    t.is((await fetch(`${url}/api/v1/prs`, bearer(token ?? ''))).status, 200);
  }
  const [, page = '', email = '', password = ''] =
    /^ {2}log in at (\S+): (\S+), password (\S+)$/m.exec(err()) ?? [];
  const body = new URLSearchParams({ email, password });
  t.is((await fetch(page, { method: 'POST', body, redirect: 'manual' })).status, 303);
});

test('printed credentials are quoted for the shell', async (t) => {
  const sessions = [aSession("it's", { expiresAt: '2999-01-01T00:00:00.000Z' })];
  const directory = await directoryWith(t, { 'x.json': { user: aUser('x'), sessions, apiTokens: [] } });
  const server = await listen(t, ['--fixtures', directory]);
  t.is(await pasteRequests(server, directory), '200 200 404 200');
});

test('without valid credentials, serve prints a login and requests with its session, which work', async (t) => {
  const user = { ...aUser('x'), password: "it's a secret&more" };
  const directory = await directoryWith(t, { 'x.json': { user } });
  const { err } = await listen(t, ['--fixtures', directory]);
  t.true(err().includes('is valid now; log in with the password from the fixture file:'));
  t.false(err().includes('secret&more'));
  t.notRegex(err(), /log in at/);
  const shown = await listen(t, ['--fixtures', directory, '--show-passwords']);
  t.is(await pasteRequests(shown, directory), '303 200 200 404 200');
});

test('--quiet hides the requests and the line that says where it listens', async (t) => {
  const { err, shows, end } = await listen(t, ['--quiet', '--host', '0.0.0.0'], {}, 'OPEN TO OTHER MACHINES');
  await shows('OPEN TO OTHER MACHINES');
  t.notRegex(err(), /^(?!\{)./m);
  t.is((await end('SIGTERM')).code, 0);
});

test('a server that other machines can reach warns, and prints requests for this machine', async (t) => {
  const server = await listen(t, ['--host', '0.0.0.0']);
  t.regex(
    server.err(),
    /"level":"warn","event":"OPEN TO OTHER MACHINES: anyone who can reach port \d+ of 0\.0\.0\.0 can sign in/,
  );
  t.regex(server.err(), /listening on http:\/\/0\.0\.0\.0:\d+\n$/);
  t.is(await pasteRequests(server, '.'), '200 200 200 200');
  // Tests beside this one may log in.
  t.notRegex(shared().diagnostics(), /"level":"(?:warn|error)"/, 'on loopback');
});
