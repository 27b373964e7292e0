import * as t from 'io-ts';
import { optional } from '../vocabulary/optional.js';
import { FindingStatus, PrStatus, Severity } from '../vocabulary/words.js';

/** The page that is served where none is asked for (contract, section 8). */
export const defaultPage = 1;

/** The page size where none is asked for, and the largest there is (contract, section 8). */
export const defaultLimit = 25;
export const maximumLimit = 100;

const isWhole = (u: unknown): u is number => Number.isSafeInteger(u) && Number(u) >= 1;

const wholeNumber = (name: string, fallback: number, inEffect: (asked: number) => number) =>
  new t.Type<number, string, unknown>(
    name,
    isWhole,
    (u, c) => {
      if (u === undefined) return t.success(fallback);
      const asked = typeof u === 'string' && /^[0-9]+$/.test(u) ? Number(u) : Number.NaN;
      return isWhole(asked) ? t.success(inEffect(asked)) : t.failure(u, c);
    },
    String,
  );

/** Query parameter `page`: 1-indexed (contract, sections 4.2 and 4.4). */
export const PageNumber = wholeNumber(
  `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
  defaultPage,
  t.identity,
);

/** Query parameter `limit`; above the maximum it counts as the maximum (contract, sections 4.2, 4.4 and 8). */
export const PageSize = wholeNumber(
  `a whole number from 1 to ${Number.MAX_SAFE_INTEGER} (above ${maximumLimit} counts as ${maximumLimit})`,
  defaultLimit,
  (asked) => Math.min(asked, maximumLimit),
);

/** The query of listFindings (contract, section 4.2). */
export const FindingsQuery = t.strict(
  {
    page: PageNumber,
    limit: PageSize,
    repoId: optional(t.string),
    severity: optional(Severity),
    status: optional(FindingStatus),
  },
  'FindingsQuery',
);
export type FindingsQuery = t.TypeOf<typeof FindingsQuery>;

/** The query of listPrs (contract, section 4.4). */
export const PrsQuery = t.strict(
  { page: PageNumber, limit: PageSize, repoId: optional(t.string), status: optional(PrStatus) },
  'PrsQuery',
);
export type PrsQuery = t.TypeOf<typeof PrsQuery>;

/** The path of getFinding (contract, section 4.3). */
export const FindingPath = t.strict({ id: t.string }, 'FindingPath');
export type FindingPath = t.TypeOf<typeof FindingPath>;

/** Of an operation that takes none. */
export const NoParameters = t.strict({}, 'NoParameters');
