import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { formatProblem } from '../../src/contract/codecs/problem.js';
import {
  changedMode,
  clockState,
  decodeClockChange,
  frozenAt,
  simulatedClock,
} from '../../src/simulation/simulated-clock.js';

const start = Date.parse('2026-11-20T12:00:00.000Z');

/** A clock over a machine whose time the test moves. */
const aClock = () => {
  let machine = start;
  const clock = simulatedClock(() => machine);
  return {
    clock,
    pass: (milliseconds: number) => {
      machine += milliseconds;
    },
    /** What the clock shows after a change, or why it is refused. */
    change: (change: unknown): string => {
      const decoded = decodeClockChange(change);
      const mode = E.isLeft(decoded) ? decoded : changedMode(clock, decoded.right);
      if (E.isLeft(mode)) return mode.left.map(formatProblem).join('; ');
      clock.setMode(mode.right);
      return clockState(clock).now;
    },
  };
};

test('it shows the machine’s time until it is changed', (t) => {
  const { clock, pass } = aClock();
  pass(1000);
  t.deepEqual(clockState(clock), { now: '2026-11-20T12:00:01.000Z', running: true, simulated: false });
});

test('now freezes it, advance moves it forwards and backwards, and running lets it run on', (t) => {
  const { clock, pass, change } = aClock();
  t.is(change({ now: '2030-01-01T00:00:00Z' }), '2030-01-01T00:00:00.000Z');
  pass(5000);
  t.deepEqual(clockState(clock), { now: '2030-01-01T00:00:00.000Z', running: false, simulated: true });
  t.is(change({ advance: '2h' }), '2030-01-01T02:00:00.000Z');
  t.is(change({ advance: '-PT3H' }), '2029-12-31T23:00:00.000Z');
  t.is(change({ running: true }), '2029-12-31T23:00:00.000Z');
  pass(1000);
  t.is<string, string>(clockState(clock).now, '2029-12-31T23:00:01.000Z');
  t.is(change({ advance: '1m' }), '2029-12-31T23:01:01.000Z');
  pass(1000);
  t.deepEqual(clockState(clock), { now: '2029-12-31T23:01:02.000Z', running: true, simulated: true });
  t.is(change({ running: false }), '2029-12-31T23:01:02.000Z');
  pass(1000);
  t.is<string, string>(clockState(clock).now, '2029-12-31T23:01:02.000Z');
});

test('a running clock that is advanced keeps running, and now can start a running one', (t) => {
  const { clock, pass, change } = aClock();
  change({ advance: '1h' });
  pass(1000);
  t.is<string, string>(clockState(clock).now, '2026-11-20T13:00:01.000Z');
  change({ now: '2031-05-06T07:08:09Z', running: true });
  pass(1000);
  t.is<string, string>(clockState(clock).now, '2031-05-06T07:08:10.000Z');
});

test('a change that says nothing, two things at once, or an impossible moment is refused', (t) => {
  const { clock, change } = aClock();
  t.is(change({}), 'give now, advance or running');
  t.is(change({ now: '2030-01-01T00:00:00Z', advance: '1s' }), '/advance: give now or advance, not both');
  for (const advance of ['999999999999w', '-999999999999w'])
    t.is(change({ advance }), '/advance: the clock shows the years 0000 to 9999 only');
  t.regex(
    change({ now: 'tomorrow', advance: 7, runing: true }),
    /^\/now: expected .*; \/advance: .*; \/runing: unknown key/,
  );
  t.is<string, string>(clockState(clock).now, '2026-11-20T12:00:00.000Z');
});

test('a clock can start frozen', (t) => {
  const clock = simulatedClock(() => 0, frozenAt(start));
  t.is(clock.now(), start);
});
