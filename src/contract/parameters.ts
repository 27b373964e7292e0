import * as t from 'io-ts';
import { described } from './codecs/described.js';
import { optional } from './codecs/optional.js';
import { QueryInteger } from './codecs/query-integer.js';
import { StringCodec } from './codecs/string-codec.js';
import { FindingStatus, PrStatus, Severity } from './enums.js';

/** The page that is served when none is requested (contract, section 8). */
export const defaultPage = 1;

/** The default and the maximum page size (contract, section 8). */
export const defaultLimit = 25;
export const maxLimit = 100;

/** Query parameter `page`: 1-indexed (contract, sections 4.2 and 4.4). */
export const PageNumber = new QueryInteger(
  `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
  defaultPage,
  Number.MAX_SAFE_INTEGER,
);

/**
 * Query parameter `limit`; a value above the maximum is served as the maximum (contract, sections 4.2, 4.4
 * and 8).
 */
export const PageSize = new QueryInteger(
  `a whole number from 1 to ${Number.MAX_SAFE_INTEGER} (above ${maxLimit} counts as ${maxLimit})`,
  defaultLimit,
  maxLimit,
);

const refused =
  'A value that is not a whole number from 1 to 9007199254740991 (2^53 − 1) is answered 400. Leading zeros do not count: `01` is 1.';
const page = described(
  PageNumber,
  'Number of the page, from 1.',
  `${refused} A page beyond the last has no items.`,
);
const limit = described(
  PageSize,
  `Page size, at most ${maxLimit}.`,
  `${refused} A value above ${maxLimit} is served as ${maxLimit}.`,
);
const repoId = described(
  optional(t.string),
  'Only rows of the connected repository with exactly this id. An unknown id gives an empty list, not an error.',
  'An empty value matches no repository.',
);
const refusedWord = 'Any other value is answered 400; case counts.';

/** The query of listFindings (contract, section 4.2). */
export const FindingsQuery = t.strict(
  {
    page,
    limit,
    repoId,
    severity: described(
      optional(Severity),
      'Only items of this severity. It narrows the items of the page, not the totals.',
      refusedWord,
    ),
    status: described(
      optional(FindingStatus),
      'Only items of this status. It narrows the items of the page, not the totals.',
      refusedWord,
    ),
  },
  'FindingsQuery',
);
export type FindingsQuery = t.TypeOf<typeof FindingsQuery>;

/** The query of listPrs (contract, section 4.4). */
export const PrsQuery = t.strict(
  {
    page,
    limit,
    repoId,
    status: described(
      optional(PrStatus),
      'Only pull requests with a matching stored state: `open` matches "open", `merged` matches "merged", `closed` matches null, "closed" and "cancelled". It narrows the totals as well.',
      refusedWord,
    ),
  },
  'PrsQuery',
);
export type PrsQuery = t.TypeOf<typeof PrsQuery>;

/** A path with an empty segment is the path of something else. */
const PathSegment = new StringCodec<string>(
  'path segment',
  { minLength: 1 },
  (u): u is string => typeof u === 'string' && u !== '',
);

/** The path of getFinding (contract, section 4.3). */
export const FindingPath = t.strict({ id: described(PathSegment, 'Id of a finding.') }, 'FindingPath');
export type FindingPath = t.TypeOf<typeof FindingPath>;

/** For an operation without parameters. */
export const NoParameters = t.strict({}, 'NoParameters');
