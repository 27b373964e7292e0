import test from 'ava';
import fc from 'fast-check';
import { accessLogLine } from '../../../src/cli/terminal/access-log-line.js';
import type { AccessLogEntry } from '../../../src/http/access-log.js';
import { runs } from '../../_runs.js';

/** What a line has to be. */
const asJson = (time: string, entry: AccessLogEntry): string => {
  const {
    requestId,
    trace,
    method,
    url,
    operation,
    status,
    milliseconds: ms,
    tenantId,
    address,
    simulated,
  } = entry;
  return JSON.stringify({
    time,
    level: 'info',
    event: 'request',
    requestId,
    ...trace,
    method,
    url,
    operation,
    status,
    ms,
    tenantId: tenantId ?? undefined,
    address,
    simulated,
  });
};

/** Texts with quotes, control characters, halves of surrogate pairs, and such as come in practice. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u007f', '\u2028', '\ud800', '\udc00', 'a', '/') }),
  fc.constantFrom('', 'GET', '/api/v1/findings?limit=2&token=…', 'listFindings', '__proto__', '127.0.0.1'),
  fc.webUrl({ withQueryParameters: true }),
  fc.string({ minLength: 190, maxLength: 210 }),
);
const number = fc.oneof(fc.nat(), fc.integer(), fc.double());
const fields = {
  requestId: fc.oneof(fc.uuid(), text),
  trace: fc.option(fc.record({ traceId: text, parentId: text })),
  method: text,
  url: text,
  operation: text,
  status: number,
  milliseconds: number,
  tenantId: fc.option(text),
  address: text,
};
const entry: fc.Arbitrary<AccessLogEntry> = fc.oneof(
  fc.record(fields),
  fc.record({ ...fields, simulated: text }),
);

test('a line of the access log is what JSON.stringify makes of the same fields', (t) => {
  const line = accessLogLine();
  const time = '2026-11-20T12:00:00.000Z';
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), (entries) => {
      // Twice, because texts that come again are kept.
      for (const each of [...entries, ...entries]) t.is(line(time, each), asJson(time, each));
    }),
    runs(),
  );
});

test('a line stays right when more texts have come than are kept', (t) => {
  const line = accessLogLine();
  for (let i = 0; i < 3000; i += 1) {
    const one: AccessLogEntry = {
      requestId: `${i}`,
      trace: null,
      method: 'GET',
      url: `/"${i % 1500}`,
      operation: 'other',
      status: 404,
      milliseconds: i,
      tenantId: null,
      address: `${i}`,
    };
    if (line('t', one) !== asJson('t', one)) t.fail(`${i}`);
  }
  t.pass();
});
