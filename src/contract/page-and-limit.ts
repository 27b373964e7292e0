import * as t from 'io-ts';
import { BoundedList, type Described, described } from './codecs/combinators.js';
import { Count, integerFrom } from './codecs/text-and-numbers.js';

const isPositiveInteger = (u: unknown): u is number => Number.isSafeInteger(u) && Number(u) >= 1;

/** An integer from 1 to 2^53-1 in a query string: `defaultValue` if missing, capped at `maximum`. */
export class QueryInteger extends t.Type<number, string, unknown> {
  constructor(
    name: string,
    readonly defaultValue: number,
    readonly maximum: number,
  ) {
    super(
      name,
      isPositiveInteger,
      (u, c) => {
        if (u === undefined) return t.success(defaultValue);
        const number = typeof u === 'string' && /^[0-9]+$/.test(u) ? Number(u) : Number.NaN;
        return isPositiveInteger(number) ? t.success(Math.min(number, maximum)) : t.failure(u, c);
      },
      String,
    );
  }
}

/** The page and its size if none is requested, and the maximum size (contract, section 8). */
export const defaultPage = 1;
export const defaultLimit = 25;
export const maxLimit = 100;

/** Query parameter `page`: 1-indexed (contract, sections 4.2 and 4.4). */
const PageNumber = new QueryInteger(
  `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
  defaultPage,
  Number.MAX_SAFE_INTEGER,
);

/** Query parameter `limit`; above the maximum, it counts as that (contract, sections 4.2, 4.4 and 8). */
const PageSize = new QueryInteger(
  `a whole number from 1 to ${Number.MAX_SAFE_INTEGER} (above ${maxLimit} counts as ${maxLimit})`,
  defaultLimit,
  maxLimit,
);

const refused =
  'A value that is not a whole number from 1 to 9007199254740991 (2^53 − 1) is answered 400. Leading zeros do not count: `01` is 1.';
export const page = described(
  PageNumber,
  'Number of the page, from 1.',
  `${refused} A page beyond the last has no items.`,
  1,
);
export const limit = described(
  PageSize,
  `Page size, at most ${maxLimit}.`,
  `${refused} A value above ${maxLimit} is served as ${maxLimit}.`,
  25,
);

/** The page envelope without its items (contract, section 2.4). Its examples are those of one page. */
export const PageInfo = t.strict(
  {
    page: described(
      integerFrom(1),
      'Number of this page, from 1.',
      'As requested, even when it is beyond the last page.',
      1,
    ),
    limit: described(
      integerFrom(1, maxLimit),
      'Page size in effect.',
      `${maxLimit} when more was requested.`,
      100,
    ),
    totalItems: described(
      Count,
      'Number of items on all pages. What counts depends on the operation.',
      null,
      399,
    ),
    totalPages: described(Count, 'Number of pages.', '0 when there are no items.', 4),
  },
  'PageInfo',
);
export type PageInfo = t.TypeOf<typeof PageInfo>;

/** The codec of a page. The item's codec is part of the type: a page is rendered from such items only. */
type PageCodec<Item extends t.Mixed> = t.ExactC<
  t.TypeC<{ items: Described<BoundedList<Item>> } & (typeof PageInfo)['type']['props']>
>;

/** The page envelope around a list of `item` (contract, section 2.4). */
export const pageOf = <Item extends t.Mixed>(item: Item): PageCodec<Item> =>
  t.strict(
    { items: described(new BoundedList(item, maxLimit), 'The items of this page.'), ...PageInfo.type.props },
    `page of ${item.name}`,
  );
