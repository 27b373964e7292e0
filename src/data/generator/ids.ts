import { maxIdentifierLength } from '../../contract/codecs/text-and-numbers.js';
import { at, type NonEmpty } from './random.js';
import type { TenantSpec } from './tenant-spec.js';

type Collection = 'repo' | 'scan' | 'fix' | 'pr';

/** The id of a row, such as `fix_0001`. `index` counts from 0. */
export const rowId = ({ distribution }: TenantSpec, collection: Collection, index: number): string => {
  const number = String(index + 1).padStart(4, '0');
  return distribution === 'edge' ? at(oddForms, index)(collection, number) : `${collection}_${number}`;
};

/** Ids that a client has to encode in a path and escape in a page. Each ends in the number of the row. */
const oddForms: NonEmpty<(collection: Collection, number: string) => string> = [
  (collection, number) => `${collection}_${number}`,
  (collection, number) => `${collection}/${number}`,
  (collection, number) => `${collection} ${number}`,
  (collection, number) => `${collection}%2F${number}`,
  (collection, number) => `${collection}?a=1&b=2#${number}`,
  (collection, number) => `${collection}-é-日本語-عربي-👩‍💻-${number}`,
  (collection, number) => `"<b>${collection}</b>'\\${number}`,
  (collection, number) => number.padStart(maxIdentifierLength, `${collection}-`),
];
