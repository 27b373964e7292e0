import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { encodePathSegment } from '../../client/api-request.js';
import { canStandInPath, findingRequest } from '../../client/operation-requests.js';
import type { CheckBlocked } from '../check-blocked.js';
import { allOf, own } from '../lists.js';
import type { Exchange, Reading } from '../reading.js';
import { type Seen, textIn } from '../row.js';

/** How many findings are looked at one by one. */
const mostDetails = 8;

/** A finding of the list, and what getFinding answers for its id. */
export type SampledDetail = Readonly<{ listed: Seen; exchange: Exchange }>;

/**
 * Some findings of the list with their details: those whose id needs escaping, one with and one without pull requests, the
 * first and the last, and others from in between.
 */
export const sampleDetails = (reading: Reading): TE.TaskEither<CheckBlocked, readonly SampledDetail[]> =>
  pipe(
    TE.Do,
    TE.apS('findings', allOf(reading, 'findings')),
    TE.apS('withPrs', idsWithPrs(reading)),
    TE.flatMap(({ findings, withPrs }) =>
      TE.sequenceArray(
        sampleOf(findings.rows, withPrs).map(({ id, listed }) =>
          pipe(
            reading.ask(findingRequest(id, own(reading))),
            TE.map((exchange) => ({ listed, exchange })),
          ),
        ),
      ),
    ),
  );

/** The ids of findings that have pull requests; none are known where that list cannot be used. */
const idsWithPrs = (reading: Reading): TE.TaskEither<CheckBlocked, ReadonlySet<string>> =>
  pipe(
    allOf(reading, 'prs'),
    TE.map(({ rows }) => new Set(rows.flatMap(({ value }) => textIn(value, 'id') ?? []))),
    TE.orElse((stop) => (stop._tag === 'Unusable' ? TE.right(new Set<string>()) : TE.left(stop))),
  );

/** The bodies of those that are answered 200. */
export const sampledDetails = (reading: Reading): TE.TaskEither<CheckBlocked, readonly Seen<unknown>[]> =>
  pipe(
    sampleDetails(reading),
    TE.map((sample) =>
      sample.flatMap(({ exchange: { ask, answer, body } }) =>
        answer.status === 200 ? [{ value: body, from: ask, path: [] }] : [],
      ),
    ),
  );

type Named = Readonly<{ id: string; listed: Seen }>;

const sampleOf = (rows: readonly Seen[], withPrs: ReadonlySet<string>): readonly Named[] => {
  const named = rows.flatMap((listed): readonly Named[] => {
    const id = textIn(listed.value, 'id');
    return id === null || !canStandInPath(id) ? [] : [{ id, listed }];
  });
  const strange = named.filter(({ id }) => encodePathSegment(id) !== id).slice(0, 2);
  const few = [
    ...strange,
    ...named.filter(({ id }) => withPrs.has(id)).slice(0, 1),
    ...named.filter(({ id }) => !withPrs.has(id)).slice(0, 1),
    ...named.slice(0, 1),
    ...named.slice(-1),
    ...named.filter((_, index) => index % Math.ceil(named.length / mostDetails) === 1),
    ...named,
  ];
  return Array.from(new Map(few.map((each) => [each.id, each])).values()).slice(0, mostDetails);
};
