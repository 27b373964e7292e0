import { setImmediate } from 'node:timers/promises';
import * as E from '#fp-ts/Either';
import { maxLimit } from '../../contract/page-and-limit.js';
import type { ReadRows } from '../../pages/explorer/overview.js';
import type { ReadFailure } from './read-operation.js';

/** A page of a list, as the API answers it. */
type Page<Row> = Readonly<{ items: readonly Row[]; totalItems: number; totalPages: number }>;

/** Reads the page with this number, of the maximum size. */
export type ReadPage<Row> = (page: number) => Promise<E.Either<ReadFailure, Page<Row>>>;

/**
 * Reads a list page by page, up to so many rows, with other requests in between. It ends early when
 * `isEnough` says so: nobody waits any more, or everything was found.
 */
export const readPages = async <Row>(
  readPage: ReadPage<Row>,
  maxRows: number,
  isEnough: (rows: readonly Row[]) => boolean,
): Promise<E.Either<ReadFailure, ReadRows<Row>>> => {
  const rows: Row[] = [];
  let total = 0;
  for (let page = 1; page <= Math.ceil(maxRows / maxLimit); page += 1) {
    const read = await readPage(page);
    if (E.isLeft(read)) return read;
    const { items, totalItems, totalPages } = read.right;
    rows.push(...items);
    total = totalItems;
    if (page >= totalPages || isEnough(rows)) break;
    await setImmediate();
  }
  return E.right({ rows: rows.slice(0, maxRows), total });
};
