import { mock } from 'node:test';
import test from 'ava';
import { announced, loginInTwo, talk } from '../../_raw.js';
import { cookie } from '../../_server.js';
import { listen, listenProcess } from '../_cli.js';

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal}: requests in flight are finished, new connections are refused, and the exit code is 0`, async (t) => {
    const { url, end, shows } = await listenProcess(t, []);
    await fetch(`${url}/healthz`); // leaves an idle, kept-alive connection behind
    const { head, body } = loginInTwo('dana@acme.test', 'acme-password');
    const login = talk(url, head);
    await login.shows(/100 Continue/);
    const ended = end(signal);
    await shows('finishing requests in flight');
    t.is(await talk(url, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n').shows(/200/), '');
    login.send(body);
    t.regex(await login.shows(/(?!)/), /HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*\}$/);
    t.is((await ended).code, 0);
  });
}

test('a second signal ends the process at once', async (t) => {
  const { url, end, child, shows } = await listenProcess(t, ['--delay', '60000']);
  await talk(url, announced('/api/v1/repos', 'acme-session')).shows(/100 Continue/);
  const ended = end('SIGINT');
  await shows('finishing requests in flight');
  child.kill('SIGINT');
  t.is((await ended).code, null);
});

test('requests that are still in flight after ten seconds are cut off', async (t) => {
  const { url, end, shows } = await listen(t, []);
  const { head, body } = loginInTwo('dana@acme.test', 'acme-password');
  const [patient, stalled] = [talk(url, head), talk(url, head)];
  for (const login of [patient, stalled]) await login.shows(/100 Continue/);
  t.teardown(() => mock.timers.reset());
  mock.timers.enable({ apis: ['setTimeout'] });
  const ended = end('SIGTERM');
  await shows('finishing requests in flight');
  mock.timers.tick(9999);
  patient.send(body);
  t.regex(await patient.shows(/(?!)/), /200 OK/);
  mock.timers.tick(1);
  t.notRegex(await stalled.shows(/(?!)/), /200 OK/);
  t.is((await ended).code, 0);
});

test('with --drain, a signal first makes the server unready, which still answers; a second one ends it', async (t) => {
  const { url, end, child, shows } = await listenProcess(t, ['--drain', '86400000']);
  const ended = end('SIGTERM');
  await shows('SIGTERM: no longer ready, stopping in 86400000 ms');
  const ready = await fetch(`${url}/readyz`);
  t.deepEqual([ready.status, ready.headers.get('connection')], [503, 'close']);
  t.regex(await ready.text(), /the server is shutting down/);
  t.is((await fetch(`${url}/api/v1/repos`, cookie('acme-session'))).status, 200);
  child.kill('SIGTERM');
  t.is((await ended).code, null);
});

test('after the drain time, the server stops', async (t) => {
  const { end } = await listenProcess(t, ['--drain', '10']);
  const { code, err } = await end('SIGTERM');
  t.is(code, 0);
  t.regex(err, /no longer ready, stopping in 10 ms[\s\S]*finishing requests in flight/);
});

test('closed output streams do not end the process', async (t) => {
  const { url, child } = await listenProcess(t, []);
  child.stdout?.destroy();
  child.stderr?.destroy();
  for (let i = 0; i < 3; i += 1) {
    t.is((await fetch(`${url}/api/v1/repos`, cookie('acme-session'))).status, 200);
  }
});
