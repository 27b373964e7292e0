import type { PageInfo } from '../contract/page.js';
import type { Range } from '../storage/port.js';

/** Which page, of which size. */
export type Asked = Readonly<{ page: number; limit: number }>;

/** The rows of a page. A page too far away for exact arithmetic starts where no list reaches. */
export const rangeOf = ({ page, limit }: Asked): Range => ({
  offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER - limit),
  limit,
});

/** The figures of the envelope (contract, section 2.4): `page` as asked for, even beyond the last; no pages when empty. */
export const figuresOf = ({ page, limit }: Asked, totalItems: number): PageInfo => ({
  page,
  limit,
  totalItems,
  totalPages: Math.ceil(totalItems / limit),
});
