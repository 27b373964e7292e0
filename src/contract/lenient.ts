import * as t from 'io-ts';
import { describedAs, listOf, nullable } from './codecs/combinators.js';
import { Timestamp } from './codecs/timestamp.js';
import { operations } from './operations.js';
import { LastScan, Repo } from './repo.js';

/**
 * The codecs for whoever receives responses: they are derived from the strict ones, which say what this
 * server sends, and accept whatever the contract leaves open.
 */

/** A `lastScan` that stands for no scan: whether its timestamps may be null, section 2.1 does not say. */
export const UnstartedScan = t.strict(
  { ...LastScan.type.props, startedAt: t.null, finishedAt: nullable(Timestamp) },
  'UnstartedScan',
);
export type UnstartedScan = t.TypeOf<typeof UnstartedScan>;

const scanCodecFor = (u: unknown) =>
  t.UnknownRecord.is(u) && u.startedAt === null ? UnstartedScan : LastScan;

/** A scan that started, which has both of its timestamps, or one that stands for no scan. */
export const LenientLastScan = new t.Type<
  LastScan | UnstartedScan,
  t.OutputOf<typeof LastScan> | t.OutputOf<typeof UnstartedScan>,
  unknown
>(
  LastScan.name,
  (u): u is LastScan | UnstartedScan => scanCodecFor(u).is(u),
  (u, c) => scanCodecFor(u).validate(u, c),
  (scan) => (scan.startedAt === null ? UnstartedScan.encode(scan) : LastScan.encode(scan)),
);
export type LenientLastScan = t.TypeOf<typeof LenientLastScan>;

/** A repository of any server that keeps the contract (section 2.1). Whatever `Repo` accepts is accepted. */
export const LenientRepo = t.strict(
  { ...Repo.type.props, lastScan: describedAs(Repo.type.props.lastScan, nullable(LenientLastScan)) },
  Repo.name,
);
export type LenientRepo = t.TypeOf<typeof LenientRepo>;

export const LenientRepoList = listOf(LenientRepo);
export type LenientRepoList = t.TypeOf<typeof LenientRepoList>;

/** The contract does not show the bodies of failures other than 401 and 404 (sections 4 and 7). */
const silentFailures = { 400: t.unknown, 500: t.unknown, 503: t.unknown };

/** The operations with the lenient codec of each response body. */
export const lenientOperations = {
  listConnectedRepos: {
    ...operations.listConnectedRepos,
    responses: { ...operations.listConnectedRepos.responses, ...silentFailures, 200: LenientRepoList },
  },
  listFindings: {
    ...operations.listFindings,
    responses: { ...operations.listFindings.responses, ...silentFailures },
  },
  getFinding: {
    ...operations.getFinding,
    responses: { ...operations.getFinding.responses, ...silentFailures },
  },
  listPrs: { ...operations.listPrs, responses: { ...operations.listPrs.responses, ...silentFailures } },
} as const;
