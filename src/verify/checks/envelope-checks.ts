import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ListName, pathOf } from '../../client/operation-requests.js';
import { defaultLimit, defaultPage, maxLimit } from '../../contract/parameters.js';
import type { Check } from '../check.js';
import { allOf, asPage, type Page } from '../lists.js';
import type { Reading } from '../reading.js';
import { wholeIn } from '../row.js';
import { type Case, verdictOf, violation } from '../verdict.js';

const fields = ['items', 'page', 'limit', 'totalItems', 'totalPages'];

/**
 * What was asked for: a page and a size, where both are such as the contract speaks of. It is silent on a page beyond the last,
 * on a size beyond the maximum, and on a parameter given twice.
 */
const askedOf = ({ ask, envelope }: Page): Readonly<{ page: number; limit: number }> | null => {
  const asked = new Map(ask.query);
  const page = Number(asked.get('page') ?? defaultPage);
  const limit = Number(asked.get('limit') ?? defaultLimit);
  const isMeant = [page, limit].every((each) => Number.isSafeInteger(each) && each >= 1);
  const total = wholeIn(envelope, 'totalItems') ?? 0;
  const isBeyond = page > 1 && (page - 1) * limit >= total;
  return isMeant && limit <= maxLimit && !isBeyond && asked.size === ask.query.length
    ? { page, limit }
    : null;
};

/** Whether the items of a page may be fewer than its figures say: severity and status narrow them (section 4.2, rule 2). */
const isNarrowed = ({ ask }: Page): boolean =>
  ask.path === pathOf.findings && ask.query.some(([name]) => name === 'severity' || name === 'status');

const whole = (page: Page, field: string): Case => {
  const value = wholeIn(page.envelope, field);
  return value === null || value < 0
    ? violation(page.ask, [field], 'a whole number', page.envelope[field])
    : null;
};

const echo = (page: Page, field: 'page' | 'limit'): readonly Case[] => {
  const asked = askedOf(page);
  if (asked === null) return [];
  const got = page.envelope[field];
  return [got === asked[field] ? null : violation(page.ask, [field], String(asked[field]), got)];
};

const totalPages = (page: Page): readonly Case[] => {
  const limit = wholeIn(page.envelope, 'limit');
  const totalItems = wholeIn(page.envelope, 'totalItems');
  if (limit === null || limit < 1 || totalItems === null || totalItems < 1) return [];
  const expected = Math.ceil(totalItems / limit);
  return [
    page.envelope.totalPages === expected
      ? null
      : violation(
          page.ask,
          ['totalPages'],
          `${expected}, that is ${totalItems} / ${limit}, rounded up`,
          page.envelope.totalPages,
        ),
  ];
};

const itemCount = (page: Page): readonly Case[] => {
  const asked = askedOf(page);
  const totalItems = wholeIn(page.envelope, 'totalItems');
  if (asked === null || totalItems === null) return [];
  const full = Math.min(asked.limit, Math.max(0, totalItems - (asked.page - 1) * asked.limit));
  const isRight = isNarrowed(page) ? page.items.length <= full : page.items.length === full;
  const expected = `${isNarrowed(page) ? 'at most ' : ''}${full} (page ${asked.page} of ${asked.limit} each, ${totalItems} in all)`;
  return [isRight ? null : violation(page.ask, ['items'], expected, page.items.length)];
};

const statements: readonly Readonly<{
  id: string;
  statement: string;
  section?: string;
  judge: (page: Page) => readonly Case[];
}>[] = [
  {
    id: 'fields',
    statement: 'the envelope has items, page, limit, totalItems and totalPages, the last four whole numbers',
    judge: (page) => fields.filter((field) => field !== 'items').map((field) => whole(page, field)),
  },
  { id: 'page', statement: 'page is the one that was asked for', judge: (page) => echo(page, 'page') },
  {
    id: 'limit',
    statement: 'limit is the page size that was asked for, up to the maximum',
    judge: (page) => echo(page, 'limit'),
  },
  { id: 'total-pages', statement: 'totalPages is totalItems / limit, rounded up', judge: totalPages },
  {
    id: 'items',
    statement: 'a page holds as many items as its figures say: the last the rest, all others limit',
    judge: itemCount,
  },
];

const envelopeChecksOf = (name: ListName): readonly Check[] => {
  const judged =
    (judge: (page: Page) => readonly Case[]): Check['check'] =>
    (reading) =>
      pipe(
        allOf(reading, name),
        TE.map(() => verdictOf(`a page of ${name}`, pagesSeen(reading, name).flatMap(judge))),
      );
  return [
    ...statements.map(
      ({ id, statement, judge }): Check => ({
        id: `${name}.envelope.${id}`,
        section: '2.4',
        level: 'must',
        statement: `${name}: ${statement}`,
        compares: false,
        check: judged(judge),
      }),
    ),
    {
      id: `${name}.envelope.no-further-fields`,
      section: '2.4',
      level: 'may',
      statement: `${name}: the envelope has no further fields`,
      compares: false,
      check: judged(({ ask, envelope }) => {
        const further = Object.keys(envelope).filter((key) => !fields.includes(key));
        if (further.length === 0) return [null];
        return further.map((key) => violation(ask, [key], 'no such field', envelope[key]));
      }),
    },
  ];
};

/** Every page of a list that was seen in the whole run, whatever check asked for it. */
const pagesSeen = (reading: Reading, name: ListName): readonly Page[] =>
  reading.exchanges().flatMap((exchange) => {
    const page =
      exchange.ask.path === pathOf[name] && exchange.ask.method === 'GET' ? asPage(exchange) : null;
    return page === null ? [] : [page];
  });

/** The arithmetic of each envelope by itself (contract, section 2.4); last, so that it sees all pages of a run. */
export const envelopeChecks: readonly Check[] = [...envelopeChecksOf('findings'), ...envelopeChecksOf('prs')];
