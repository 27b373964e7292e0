import test from 'ava';
import { baseUrl, isExposed, localUrl } from '../../src/cli/base-url.js';
import { listenProblem } from '../../src/cli/listen-problem.js';
import { accessLines, diagnostics } from '../../src/cli/logging.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { at, now } from '../_data.js';

const terminal = (isTerminal: boolean) => {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const fake: Terminal = {
    out: write,
    err: write,
    progress: () => {},
    pid: 1,
    isRunning: () => false,
    outIsTerminal: isTerminal,
    errIsTerminal: isTerminal,
    signalled: () => new Promise(() => {}),
  };
  return { fake, lines };
};
const clock = () => at(now);

test('on a terminal, logs are for people', (t) => {
  const { fake, lines } = terminal(true);
  const log = diagnostics(fake, 'info', clock);
  log('info', 'ready');
  log('error', 'refused', {
    operation: 'listPrs',
    tenants: 3,
    problems: ['/a: expected b, got c', 'second'],
  });
  accessLines(fake, 'info', clock)({ method: 'GET', url: '/api/v1/prs', status: 200, milliseconds: 3 });
  t.deepEqual(lines, [
    'info: ready',
    'error: refused\n  operation: listPrs\n  tenants: 3\n  /a: expected b, got c\n  second',
    '200 GET /api/v1/prs 3 ms',
  ]);
});

test('elsewhere they are JSON lines', (t) => {
  const { fake, lines } = terminal(false);
  diagnostics(fake, 'debug', clock)('debug', 'two\nlines', { a: 1 });
  accessLines(fake, 'info', clock)({ method: 'GET', url: '/', status: 404, milliseconds: 0 });
  t.deepEqual(lines, [
    `{"time":"${now}","level":"debug","event":"two\\nlines","a":1}`,
    `{"time":"${now}","method":"GET","url":"/","status":404,"ms":0}`,
  ]);
});

test('a level silences those below it, and access lines are info', (t) => {
  const { fake, lines } = terminal(false);
  const log = diagnostics(fake, 'warn', clock);
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log(level, level);
  accessLines(fake, 'warn', clock)({ method: 'GET', url: '/', status: 200, milliseconds: 0 });
  t.deepEqual(
    lines.map((line) => JSON.parse(line).event),
    ['warn', 'error'],
  );
});

test('URLs of hosts of every kind', (t) => {
  t.is(baseUrl('127.0.0.1', 80), 'http://127.0.0.1:80');
  t.is(baseUrl('::', 4000), 'http://[::]:4000');
  t.is(localUrl('::', 4000), 'http://[::1]:4000');
  t.is(localUrl('0.0.0.0', 4000), 'http://127.0.0.1:4000');
  t.is(localUrl('example.test', 4000), 'http://example.test:4000');
});

test('only loopback is not exposed', (t) => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1']) t.false(isExposed(host), host);
  for (const host of ['0.0.0.0', '::', '192.0.2.1', '127.evil.test', '10.127.0.1', 'box.test'])
    t.true(isExposed(host), host);
});

test('why a server cannot listen', (t) => {
  const because = (code: string) => listenProblem(Object.assign(new Error('bind failed'), { code }), 'h', 80);
  t.regex(because('EADDRINUSE'), /^port 80 on h is in use/);
  t.regex(because('EACCES'), /^port 80 on h may not be used by this user/);
  t.regex(because('ENOTFOUND'), /^h is not an address of this machine/);
  t.is(because('EMFILE'), 'cannot listen on h, port 80: bind failed');
});
