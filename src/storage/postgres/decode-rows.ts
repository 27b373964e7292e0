import * as E from '#fp-ts/Either';
import { problemsOf } from '../../codecs/problem.js';
import type { StorageError } from '../port.js';
import type { TenantQuery } from './queries.js';

/** Decodes JSON texts one after the other. In between, other requests have their turn. */
export const decodeRows = async <Row>(
  { decodeRows: decode, functionName }: TenantQuery<Row>,
  texts: readonly string[],
): Promise<E.Either<StorageError, readonly Row[]>> => {
  const all: Row[] = [];
  for (const [index, text] of texts.entries()) {
    if (index > 0) await new Promise((resolve) => setImmediate(resolve));
    const rows = decode(JSON.parse(text));
    if (E.isLeft(rows))
      return E.left({ _tag: 'RecordBroken', where: functionName, problems: problemsOf(rows.left) });
    for (const row of rows.right) all.push(deepFreeze(row));
  }
  return E.right(Object.freeze(all));
};

/** Freezes parsed JSON: the port promises frozen rows. */
const deepFreeze = <A>(value: A): A => {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
};
