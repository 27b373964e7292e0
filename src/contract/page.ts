import * as t from 'io-ts';
import { described } from '../vocabulary/described.js';
import { listOf } from '../vocabulary/lists.js';
import { Integer } from '../vocabulary/numbers.js';

/** The figures of a page envelope: all of it but the items (contract, section 2.4). */
export const PageFigures = t.strict(
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
export type PageFigures = t.TypeOf<typeof PageFigures>;

/** The page envelope around a list of `item` (contract, section 2.4). */
export const pageOf = <A, O>(item: t.Type<A, O>) =>
  t.strict(
    { items: described(listOf(item), 'The items of this page.'), ...PageFigures.type.props },
    `page of ${item.name}`,
  );
