import test from 'ava';
import { accessLog, diagnosticLog } from '../../../src/cli/terminal/logging.js';
import { escapingTerminal } from '../../../src/cli/terminal/terminal.js';
import type { AccessLogEntry } from '../../../src/koa/access-log.js';
import { at, now } from '../../_data.js';
import { aTerminal } from './_terminal.js';

const clock = () => at(now);

const entry: AccessLogEntry = {
  requestId: 'r1',
  trace: null,
  method: 'GET',
  url: '/api/v1/prs',
  operation: 'listPrs',
  status: 200,
  milliseconds: 3,
  tenantId: null,
  address: '127.0.0.1',
};

test('on a terminal, logs are plain text', (t) => {
  const { fake, lines } = aTerminal(true);
  const log = diagnosticLog(fake, 'info', clock);
  log('info', 'ready');
  log('error', 'refused', {
    operation: 'listPrs',
    tenants: 3,
    problems: ['/a: expected b, got c', 'second'],
  });
  accessLog(fake, 'info', clock)?.([entry]);
  t.deepEqual(lines, [
    'info: ready',
    ...['error: refused', '  operation: listPrs', '  tenants: 3', '  /a: expected b, got c', '  second'],
    '200 GET /api/v1/prs 3 ms',
  ]);
  accessLog(fake, 'debug', clock)?.([{ ...entry, simulated: 'code=503 (fault-1)' }, entry]);
  const line = '200 GET /api/v1/prs 3 ms';
  t.deepEqual(lines.slice(-2), [`${line} r1, simulated: code=503 (fault-1)`, `${line} r1`]);
});

test('on a terminal, each line of a stack is one, indented below the first, and none can pass for a field', (t) => {
  const { fake, lines } = aTerminal(true);
  const cause = 'Error: no\nuserId: x\u001b[2J\n    at read (storage.mjs:3:9)';
  diagnosticLog(escapingTerminal(fake), 'info', clock)('error', 'failed', { cause, status: 500 });
  t.deepEqual(lines, [
    'error: failed',
    '  cause: Error: no',
    '    userId: x\\u001b[2J',
    '        at read (storage.mjs:3:9)',
    '  status: 500',
  ]);
});

test('without a terminal, logs are JSON lines', (t) => {
  const { fake, lines } = aTerminal(false);
  diagnosticLog(fake, 'debug', clock)('debug', 'two\nlines', { a: 1, userId: null });
  const trace = { traceId: 'ab'.repeat(16), parentId: 'cd'.repeat(8) };
  accessLog(fake, 'info', clock)?.([{ ...entry, trace, tenantId: 'acme', simulated: 'fault-1' }, entry]);
  t.deepEqual(lines, [
    `{"time":"${now}","level":"debug","event":"two\\nlines","a":1}`,
    `{"time":"${now}","level":"info","event":"request","requestId":"r1","traceId":"${trace.traceId}","parentId":"${trace.parentId}","method":"GET","url":"/api/v1/prs","operation":"listPrs","status":200,"ms":3,"tenantId":"acme","address":"127.0.0.1","simulated":"fault-1"}`,
    `{"time":"${now}","level":"info","event":"request","requestId":"r1","method":"GET","url":"/api/v1/prs","operation":"listPrs","status":200,"ms":3,"address":"127.0.0.1"}`,
  ]);
});

test('the threshold hides lower levels, and the access log is info', (t) => {
  const { fake, lines } = aTerminal(false);
  const log = diagnosticLog(fake, 'warn', clock);
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log(level, level);
  accessLog(fake, 'warn', clock)?.([entry]);
  t.deepEqual(
    lines.map((line) => JSON.parse(line).event),
    ['warn', 'error'],
  );
});
