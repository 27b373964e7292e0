import * as t from 'io-ts';
import { listOf } from '../vocabulary/lists.js';
import { Integer } from '../vocabulary/numbers.js';

/** The figures of a page envelope: all of it but the items (contract, section 2.4). */
export const PageFigures = t.strict(
  { page: Integer, limit: Integer, totalItems: Integer, totalPages: Integer },
  'PageFigures',
);
export type PageFigures = t.TypeOf<typeof PageFigures>;

/** The page envelope around a list of `item` (contract, section 2.4). */
export const pageOf = <A, O>(item: t.Type<A, O>) =>
  t.strict({ items: listOf(item), ...PageFigures.type.props }, `page of ${item.name}`);
