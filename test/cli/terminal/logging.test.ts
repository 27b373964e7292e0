import test from 'ava';
import { accessLog, diagnosticLog } from '../../../src/cli/terminal/logging.js';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';
import { at, now } from '../../_data.js';

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
    onSignal: () => new Promise(() => {}),
  };
  return { fake, lines };
};
const clock = () => at(now);

test('on a terminal, logs are plain text', (t) => {
  const { fake, lines } = terminal(true);
  const log = diagnosticLog(fake, 'info', clock);
  log('info', 'ready');
  log('error', 'refused', {
    operation: 'listPrs',
    tenants: 3,
    problems: ['/a: expected b, got c', 'second'],
  });
  accessLog(fake, 'info', clock)?.({ method: 'GET', url: '/api/v1/prs', status: 200, milliseconds: 3 });
  t.deepEqual(lines, [
    'info: ready',
    'error: refused\n  operation: listPrs\n  tenants: 3\n  /a: expected b, got c\n  second',
    '200 GET /api/v1/prs 3 ms',
  ]);
});

test('without a terminal, logs are JSON lines', (t) => {
  const { fake, lines } = terminal(false);
  diagnosticLog(fake, 'debug', clock)('debug', 'two\nlines', { a: 1 });
  accessLog(fake, 'info', clock)?.({ method: 'GET', url: '/', status: 404, milliseconds: 0 });
  t.deepEqual(lines, [
    `{"time":"${now}","level":"debug","event":"two\\nlines","a":1}`,
    `{"time":"${now}","method":"GET","url":"/","status":404,"ms":0}`,
  ]);
});

test('the threshold hides lower levels, and the access log is info', (t) => {
  const { fake, lines } = terminal(false);
  const log = diagnosticLog(fake, 'warn', clock);
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log(level, level);
  accessLog(fake, 'warn', clock)?.({ method: 'GET', url: '/', status: 200, milliseconds: 0 });
  t.deepEqual(
    lines.map((line) => JSON.parse(line).event),
    ['warn', 'error'],
  );
});
