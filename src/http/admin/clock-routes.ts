import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { described, optional } from '../../contract/codecs/combinators.js';
import { formatProblem } from '../../contract/codecs/problem.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import type { LiveData } from '../../simulation/live-data.js';
import { ClockState, decodeClockChange } from '../../simulation/simulated-clock.js';
import type { ControlFailure } from '../operations/failures.js';
import { type AdminRoute, adminRoute } from './admin-route.js';

const tag = 'Time';

/** A change of the clock as it is sent; `decodeClockChange` reads the texts in it. */
const SentChange = new StrictObject(
  {
    now: described(
      optional(t.string),
      'Freezes the clock at this moment, such as `2026-11-20T12:00:00Z`, as if the server had been started then.',
    ),
    advance: described(
      optional(t.string),
      'Lets so much time pass, such as `2h`, `1h30m` or `PT2H`; a minus goes back.',
    ),
    running: described(optional(t.boolean), 'Whether the clock runs on from there.'),
  },
  'clock change',
);

/** The controls of the clock. */
export const clockRoutes = ({ clock }: LiveData): readonly AdminRoute[] => [
  adminRoute({
    id: 'readClock',
    method: 'GET',
    path: '/clock',
    tag,
    summary: 'Tell what the clock of the server shows.',
    query: null,
    body: null,
    success: { status: 200, description: 'The clock.', codec: ClockState },
    handle: () => E.right(clock.state()),
  }),
  adminRoute({
    id: 'changeClock',
    method: 'PUT',
    path: '/clock',
    tag,
    summary: 'Freeze the clock, move it, or let it run on.',
    description:
      'Sessions, tokens, relative times and scenarios follow it. Data with `asOf` is shifted anew to a `now`; with `advance` it ages.',
    query: null,
    body: SentChange,
    success: { status: 200, description: 'The clock after the change.', codec: ClockState },
    handle: ({ body }) =>
      pipe(
        TE.fromEither(decodeClockChange(body)),
        TE.flatMap((change) => () => clock.change(change)),
        TE.mapLeft(
          (problems): ControlFailure => ({
            _tag: 'ControlInvalid',
            problems: problems.map(formatProblem),
          }),
        ),
      )(),
  }),
  adminRoute({
    id: 'releaseClock',
    method: 'DELETE',
    path: '/clock',
    tag,
    summary: 'Give the machine’s clock back, as if the server had been started now.',
    query: null,
    body: null,
    success: { status: 200, description: 'The clock.', codec: ClockState },
    handle: async () => E.right(await clock.release()),
  }),
];
