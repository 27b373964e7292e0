import test from 'ava';
import { announced, loginInTwo, talk } from '../../_raw.js';
import { cookie } from '../../_server.js';
import { listen, listenProcess } from '../_cli.js';

test.serial(
  'at a signal, requests in flight are finished, new connections are refused, and the exit code is 0',
  async (t) => {
    const { url, end, shows } = await listenProcess(t, []);
    await fetch(`${url}/healthz`); // leaves an idle, kept-alive connection behind
    const { head, body } = loginInTwo('dana@acme.test', 'acme-password');
    const login = talk(url, head);
    await login.shows(/100 Continue/);
    const ended = end('SIGHUP');
    await shows('finishing requests in flight');
    t.is(await talk(url, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n').shows(/200/), '');
    login.send(body);
    t.regex(await login.shows(/(?!)/), /HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*\}$/);
    t.is((await ended).code, 0);
  },
);

test.serial('a second signal ends the process at once', async (t) => {
  const { url, end, child, shows } = await listenProcess(t, ['--delay', '60000']);
  await talk(url, announced('/api/v1/repos', 'acme-session')).shows(/100 Continue/);
  const ended = end('SIGINT');
  await shows('finishing requests in flight');
  child.kill('SIGINT');
  t.is((await ended).code, null);
});

test.serial(
  'with --drain, a signal first makes the server unready, which still answers; a second one ends it',
  async (t) => {
    const { url, end, child, shows } = await listenProcess(t, ['--drain', '86400000']);
    const ended = end('SIGTERM');
    await shows('SIGTERM: no longer ready, stopping in 86400000 ms');
    const ready = await fetch(`${url}/readyz`);
    t.deepEqual([ready.status, ready.headers.get('connection')], [503, 'close']);
    t.regex(await ready.text(), /the server is shutting down/);
    t.is((await fetch(`${url}/api/v1/repos`, cookie('acme-session'))).status, 200);
    child.kill('SIGTERM');
    t.is((await ended).code, null);
  },
);

test.serial('after the drain time, the server stops', async (t) => {
  const { end } = await listen(t, ['--drain', '10']);
  const { code, err } = await end('SIGTERM');
  t.is(code, 0);
  t.regex(err, /no longer ready, stopping in 10 ms[\s\S]*finishing requests in flight/);
});

test.serial(
  'SIGUSR1 opens no debugger, closed output streams do not end the process, and SIGQUIT does',
  async (t) => {
    const { url, end, child, err } = await listenProcess(t, []);
    child.kill('SIGUSR1');
    for (let i = 0; i < 20; i += 1) await fetch(`${url}/healthz`);
    t.notRegex(err(), /Debugger/);
    child.stdout?.destroy();
    child.stderr?.destroy();
    for (let i = 0; i < 3; i += 1)
      t.is((await fetch(`${url}/api/v1/repos`, cookie('acme-session'))).status, 200);
    t.is((await end('SIGQUIT')).code, 0);
  },
);

test.serial(
  'lines beyond 8 MB that nobody reads are dropped and counted, and do not keep the process from its end',
  async (t) => {
    const { url, child, out, end } = await listenProcess(t, []);
    const path = '/long'.repeat(2800);
    const send = async (count: number): Promise<void> => {
      const one = async () => (await fetch(`${url}${path}`)).text();
      for (let i = 0; i < count; i += 50) await Promise.all(Array.from({ length: 50 }, one));
    };
    child.stdout?.pause();
    await send(700);
    const isTold = (): boolean => /"dropped":\d+\}\n/.test(out());
    child.stdout?.resume();
    // There is room for lines again once some have been read.
    for (let i = 0; i < 10_000 && !isTold(); i += 1) await send(50);
    const [, dropped] = /"dropped":(\d+)\}\n/.exec(out()) ?? [];
    t.true(Number(dropped) > 0, dropped);
    child.stdout?.pause();
    await send(100);
    const ended = end('SIGTERM');
    t.is(await new Promise((resolve) => child.once('exit', resolve)), 0);
    child.stdout?.resume();
    await ended;
  },
);
