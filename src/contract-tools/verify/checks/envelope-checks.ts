import { operations } from '../../../contract/operations.js';
import { defaultLimit, defaultPage, maxLimit, PageInfo } from '../../../contract/page-and-limit.js';
import { fieldIs, hasOnlyFields, violation } from '../cases.js';
import { type Check, type CheckLevel, checkAt } from '../check.js';
import { integerField } from '../json-rows.js';
import { pagesSoFar } from '../list-needs.js';
import type { Page } from '../request-needs.js';
import { listNames } from '../requests.js';
import type { Case } from '../verdict.js';

const numberFields = Object.keys(PageInfo.type.props);
const fields = ['items', ...numberFields];

/**
 * The page and the size that were requested; null if the contract does not say what the response is: for a
 * page beyond the last, a size above the maximum, or a parameter given twice.
 */
const requested = ({ request: { query }, value }: Page): Readonly<{ page: number; limit: number }> | null => {
  const parameters = new Map(query);
  const page = Number(parameters.get('page') ?? defaultPage);
  const limit = Number(parameters.get('limit') ?? defaultLimit);
  const isCovered = [page, limit].every((each) => Number.isSafeInteger(each) && each >= 1);
  const isBeyond = page > 1 && (page - 1) * limit >= (integerField(value, 'totalItems') ?? 0);
  return isCovered && limit <= maxLimit && !isBeyond && parameters.size === query.length
    ? { page, limit }
    : null;
};

/** severity and status remove items from a page without changing its totals (section 4.2, rule 2). */
const isFiltered = ({ request: { path, query } }: Page): boolean =>
  path === operations.listFindings.path && query.some(([name]) => name === 'severity' || name === 'status');

const isInteger = (page: Page, field: string): Case => {
  const value = integerField(page.value, field);
  return value === null || value < 0 ? violation(page, 'a whole number', page.value[field], field) : null;
};

const isAsRequested = (page: Page, field: 'page' | 'limit'): Case | readonly Case[] => {
  const expected = requested(page);
  return expected === null ? [] : fieldIs(page, field, expected[field]);
};

const totalPages = (page: Page): Case | readonly Case[] => {
  const limit = integerField(page.value, 'limit') ?? 0;
  const totalItems = integerField(page.value, 'totalItems') ?? 0;
  if (limit < 1 || totalItems < 1) return [];
  return fieldIs(
    page,
    'totalPages',
    Math.ceil(totalItems / limit),
    `, which is ${totalItems} / ${limit}, rounded up`,
  );
};

const itemCount = (page: Page): Case | readonly Case[] => {
  const expected = requested(page);
  const total = integerField(page.value, 'totalItems');
  if (expected === null || total === null) return [];
  const { page: number, limit } = expected;
  const full = Math.min(limit, Math.max(0, total - (number - 1) * limit));
  const count = page.items.length;
  if (isFiltered(page) ? count <= full : count === full) return null;
  const bound = isFiltered(page) ? `at most ${full}` : full;
  return violation(page, `${bound} (page ${number} of ${total} items, ${limit} per page)`, count, 'items');
};

/** Rows of a table: the last part of the id, the level, the statement, the judge of a page. */
const statements: readonly (readonly [string, CheckLevel, string, (page: Page) => Case | readonly Case[]])[] =
  [
    [
      'fields',
      'must',
      `the envelope has items, and ${numberFields.join(', ')} as whole numbers`,
      (page) => numberFields.map((field) => isInteger(page, field)),
    ],
    ['page', 'must', 'page is the page that was requested', (page) => isAsRequested(page, 'page')],
    [
      'limit',
      'must',
      'limit is the page size that was requested, up to the maximum',
      (page) => isAsRequested(page, 'limit'),
    ],
    ['total-pages', 'must', 'totalPages is totalItems / limit, rounded up', totalPages],
    ['items', 'must', 'every page has limit items, except the last, which has the rest', itemCount],
    ['no-further-fields', 'info', 'the envelope has no other fields', (page) => hasOnlyFields(page, fields)],
  ];

/**
 * The arithmetic of each envelope (contract, section 2.4). These checks come late to see all pages of a run.
 */
export const envelopeChecks: readonly Check[] = listNames.flatMap((name) =>
  statements.map(([suffix, level, statement, judge]) =>
    checkAt(level)(
      `${name}.envelope.${suffix}`,
      '2.4',
      `${name}: ${statement}`,
      pagesSoFar(name),
      judge,
      `a page of ${name}`,
    ),
  ),
);
