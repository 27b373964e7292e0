import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { listOf } from '../codecs/list.js';
import { Integer } from '../codecs/numbers.js';

/** The figures of a page envelope: all of it but the items (contract, section 2.4). */
export const PageInfo = t.strict(
  {
    page: described(
      Integer,
      'Number of this page, from 1.',
      'As it was asked for, even beyond the last page.',
    ),
    limit: described(Integer, 'Page size in effect.', 'At most 100, however much was asked for.'),
    totalItems: described(Integer, 'Number of items on all pages. What counts is up to the operation.'),
    totalPages: described(Integer, 'Number of pages.', '0 when there are no items.'),
  },
  'PageFigures',
);
export type PageInfo = t.TypeOf<typeof PageInfo>;

/** The page envelope around a list of `item` (contract, section 2.4). */
export const pageOf = <A, O>(item: t.Type<A, O>) =>
  t.strict(
    { items: described(listOf(item), 'The items of this page.'), ...PageInfo.type.props },
    `page of ${item.name}`,
  );
