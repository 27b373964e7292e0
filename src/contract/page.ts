import * as t from 'io-ts';
import { type Described, described } from './codecs/described.js';
import { BoundedList } from './codecs/list.js';
import { Count, integerFrom } from './codecs/numbers.js';
import { maxLimit } from './parameters.js';

/** The page envelope without its items (contract, section 2.4). */
export const PageInfo = t.strict(
  {
    page: described(
      integerFrom(1),
      'Number of this page, from 1.',
      'As requested, even when it is beyond the last page.',
    ),
    limit: described(
      integerFrom(1, maxLimit),
      'Page size in effect.',
      `${maxLimit} when more was requested.`,
    ),
    totalItems: described(Count, 'Number of items on all pages. What counts depends on the operation.'),
    totalPages: described(Count, 'Number of pages.', '0 when there are no items.'),
  },
  'PageInfo',
);
export type PageInfo = t.TypeOf<typeof PageInfo>;

/**
 * The codec of a page of `Item`. The item's codec is part of the type, so that a page is rendered from such
 * items only.
 */
export type PageCodec<Item extends t.Mixed> = t.ExactC<
  t.TypeC<{ items: Described<BoundedList<Item>> } & (typeof PageInfo)['type']['props']>
>;

/** The page envelope around a list of `item` (contract, section 2.4). */
export const pageOf = <Item extends t.Mixed>(item: Item): PageCodec<Item> =>
  t.strict(
    { items: described(new BoundedList(item, maxLimit), 'The items of this page.'), ...PageInfo.type.props },
    `page of ${item.name}`,
  );
