import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { Clock } from '../common/clock.js';
import { inTurn } from '../common/concurrency.js';
import { described, optional } from '../contract/codecs/combinators.js';
import { type Problem, problem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import {
  Duration,
  earliest,
  latest,
  millisecondsOf,
  Timestamp,
  timestampAt,
  UtcTime,
} from '../contract/codecs/timestamp.js';

/** What a clock shows: one moment, or the machine's time and so many milliseconds more. */
export type ClockMode = Readonly<{ frozenAt: number | null; ahead: number }>;

export const machineTime: ClockMode = { frozenAt: null, ahead: 0 };

export const frozenAt = (at: number): ClockMode => ({ frozenAt: at, ahead: 0 });

/** A clock that can be moved. `machine` tells the machine's time. */
export const simulatedClock = (machine: Clock, initial: ClockMode = machineTime) => {
  let mode = initial;
  const timeIn = (of: ClockMode): number => of.frozenAt ?? machine() + of.ahead;
  return {
    now: () => timeIn(mode),
    mode: () => mode,
    setMode: (next: ClockMode): void => {
      mode = next;
    },
    /** Shows again what it did at the start. */
    restart: (): void => {
      mode = initial;
    },
    /** Whether the mode is another one than that of the start. */
    isChanged: () => mode !== initial,
    timeIn,
  };
};

export type SimulatedClock = ReturnType<typeof simulatedClock>;

/** What a clock shows, for people and programs. */
export const ClockState = new StrictObject(
  {
    now: described(Timestamp, 'What the clock shows.'),
    running: described(t.boolean, 'False if the clock stands still.'),
    simulated: described(t.boolean, 'Whether it shows anything but the time of the machine.'),
  },
  'clock',
);
export type ClockState = t.TypeOf<typeof ClockState>;

const clockState = ({ now, mode }: SimulatedClock): ClockState => ({
  now: timestampAt(now()),
  running: mode().frozenAt === null,
  simulated: mode() !== machineTime,
});

/** A change of a clock, which says one of these, or `running` with another one. */
export const ClockChange = new StrictObject(
  {
    now: described(
      optional(UtcTime),
      'Freezes the clock at this moment, such as `2026-11-20T12:00:00Z`, as if the server had been started then.',
    ),
    advance: described(
      optional(Duration),
      'Lets so much time pass, such as `2h`, `1h30m` or `PT2H`; a minus goes back.',
    ),
    running: described(optional(t.boolean), 'Whether the clock runs on from there.'),
  },
  'clock change',
);
export type ClockChange = t.TypeOf<typeof ClockChange>;

/**
 * What a clock shows after a change. One that stood still does so afterwards, unless it shall run. `left`:
 * the change says nothing, or two things at once, or leads to a moment that no clock shows.
 */
export const changedMode = (
  { mode, timeIn }: SimulatedClock,
  { now, advance, running }: Partial<ClockChange>,
): E.Either<readonly Problem[], ClockMode> => {
  if (now !== undefined && advance !== undefined)
    return E.left([problem(['advance'], 'give now or advance, not both')]);
  if (now === undefined && advance === undefined && running === undefined)
    return E.left([problem([], 'give now, advance or running')]);
  const before = mode();
  const at = Math.trunc((now === undefined ? timeIn(before) : millisecondsOf(now)) + (advance ?? 0));
  if (at < earliest || at > latest)
    return E.left([problem(['advance'], 'the clock shows the years 0000 to 9999 only')]);
  const runs = running ?? (now === undefined && before.frozenAt === null);
  return E.right(runs ? { frozenAt: null, ahead: at - timeIn(machineTime) } : frozenAt(at));
};

/** A clock, to change it. */
export type ClockControl = Readonly<{
  state: () => ClockState;
  /** How many milliseconds it is ahead of the machine, while it runs. */
  ahead: () => number;
  /** A new `now` is a new start: data with `asOf` looks as it did then. Otherwise time passes. */
  change: (change: Partial<ClockChange>) => Promise<E.Either<readonly Problem[], ClockState>>;
  /** Gives the usual clock back, which is a new start as well. */
  release: () => Promise<ClockState>;
}>;

/** What changes a clock, one change after the other. `move` sets the mode; null: that of the usual clock. */
export const clockControl = (
  shown: () => SimulatedClock,
  move: (mode: ClockMode | null, isStart: boolean) => void,
  oneByOne = inTurn(),
): ClockControl => ({
  state: () => clockState(shown()),
  ahead: () => shown().mode().ahead,
  change: (change) =>
    oneByOne(async () => {
      const mode = changedMode(shown(), change);
      if (E.isLeft(mode)) return mode;
      move(mode.right, change.now !== undefined);
      return E.right(clockState(shown()));
    }),
  release: () =>
    oneByOne(async () => {
      move(null, true);
      return clockState(shown());
    }),
});
