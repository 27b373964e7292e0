import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Query } from '../../client/api-request.js';
import { pageRequest } from '../../client/operation-requests.js';
import { isJsonEqual } from '../../common/canonical-json.js';
import { FindingStatus, Severity } from '../../contract/enums.js';
import type { Check } from '../check.js';
import type { CheckBlocked } from '../check-blocked.js';
import { allOf, type List, own, type Page, pageOf } from '../lists.js';
import type { Exchange, Reading } from '../reading.js';
import { isRow, type Row, textIn } from '../row.js';
import { asIn, type Case, verdictOf, violation } from '../verdict.js';
import { judgePage, valuesOf } from './filtered.js';

/** Every filter that has a word of one enum, or of each. */
const severities: readonly Query[] = Object.keys(Severity.keys).map((word) => [['severity', word]]);
const statuses: readonly Query[] = Object.keys(FindingStatus.keys).map((word) => [['status', word]]);

const matches = (row: Row, query: Query): boolean => query.every(([name, value]) => row[name] === value);

/** The values of a page that a filter leaves. */
const leftOf = (page: Page, query: Query): readonly unknown[] =>
  valuesOf(page).filter((value) => isRow(value) && matches(value, query));

/** A page without filters, and the same with each of several filters. */
type Narrowed = Readonly<{
  plain: Page;
  narrowed: readonly Readonly<{ query: Query; exchange: Exchange }>[];
}>;

const narrow = (
  reading: Reading,
  number: number,
  limit: number,
  base: Query,
  queries: readonly Query[],
): TE.TaskEither<CheckBlocked, Narrowed> =>
  pipe(
    TE.Do,
    TE.apS('plain', pageOf(reading, pageRequest('findings', number, limit, base, own(reading)))),
    TE.apS(
      'narrowed',
      TE.sequenceArray(
        queries.map((query) =>
          pipe(
            reading.ask(pageRequest('findings', number, limit, [...base, ...query], own(reading))),
            TE.map((exchange) => ({ query, exchange })),
          ),
        ),
      ),
    ),
  );

/** The items under a filter are those of the same page without it that match. Only a filter that leaves some out shows it. */
const judgeItems = ({ plain, narrowed }: Narrowed): readonly Case[] =>
  narrowed.flatMap(({ query, exchange }) =>
    judgePage(exchange, (page) => {
      const expected = leftOf(plain, query);
      if (!isJsonEqual(valuesOf(page), expected)) {
        const told = `the ${expected.length} matching items${asIn(plain.ask)}, in their order`;
        return [violation(page.ask, ['items'], told, valuesOf(page).map(inShort))];
      }
      return expected.length < plain.items.length ? [null] : [];
    }),
  );

/** The totals under a filter are those without it. Only a filter that leaves some out shows it. */
const judgeTotals = ({ plain, narrowed }: Narrowed): readonly Case[] =>
  narrowed.flatMap(({ query, exchange }) =>
    judgePage(exchange, ({ ask, envelope }) =>
      leftOf(plain, query).length === plain.items.length
        ? []
        : ['totalItems', 'totalPages'].map((field) =>
            isJsonEqual(envelope[field], plain.envelope[field])
              ? null
              : violation(ask, [field], `${plain.envelope[field]}${asIn(plain.ask)}`, envelope[field]),
          ),
    ),
  );

const inShort = (value: unknown): unknown => (isRow(value) ? value.id : value);

/** A filter by both, of a finding that there is. */
const bothOf = ({ rows }: List): Query => {
  const [row] = rows.slice(0, 1).map(({ value }) => value);
  const severity = row && textIn(row, 'severity');
  const status = row && textIn(row, 'status');
  return severity && status
    ? [
        ['severity', severity],
        ['status', status],
      ]
    : [];
};

/**
 * A page size that tells a page that is narrowed from a narrowed list that is cut into pages: so that there is more than one
 * page, and some match on a later one.
 */
const halfOf = ({ rows }: List): number => Math.max(1, Math.min(50, Math.floor(rows.length / 2)));

const needed = 'findings of different severity and status';

const narrowedBy = (
  queries: (list: List) => readonly Query[],
  judge: (narrowed: Narrowed) => readonly Case[],
) =>
  ((reading) =>
    pipe(
      allOf(reading, 'findings'),
      TE.flatMap((list) => narrow(reading, 1, 100, [], queries(list))),
      TE.map((narrowed) => verdictOf(needed, judge(narrowed))),
    )) satisfies Check['check'];

const both = (list: List): readonly Query[] => [bothOf(list)].filter(({ length }) => length > 0);

/** severity and status on findings: they narrow the page and nothing else (contract, section 4.2). */
export const findingFilterChecks: readonly Check[] = [
  {
    id: 'findings.severity',
    section: '4.2 rule 2',
    level: 'must',
    statement: 'findings: severity leaves those items of the page that have it',
    compares: true,
    check: narrowedBy(() => severities, judgeItems),
  },
  {
    id: 'findings.status',
    section: '4.2 rule 2',
    level: 'must',
    statement: 'findings: status leaves those items of the page that have it',
    compares: true,
    check: narrowedBy(() => statuses, judgeItems),
  },
  {
    id: 'findings.severity-and-status',
    section: '4.2 rule 2',
    level: 'must',
    statement: 'findings: severity and status together leave the items that have both',
    compares: true,
    check: narrowedBy(both, judgeItems),
  },
  {
    id: 'findings.filtered-totals',
    section: '4.2 rule 2',
    level: 'must',
    statement: 'findings: severity and status change neither totalItems nor totalPages',
    compares: true,
    check: narrowedBy((list) => [...severities, ...statuses, ...both(list)], judgeTotals),
  },
  {
    id: 'findings.filter-after-paging',
    section: '4.2 rule 2',
    level: 'must',
    statement: 'findings: the page is cut first and narrowed then, on every page',
    compares: true,
    check: (reading) =>
      pipe(
        allOf(reading, 'findings'),
        TE.flatMap((list) => {
          const limit = halfOf(list);
          // Filters that match on the first page and after it: there the two ways to do it differ.
          const telling = [...severities, ...statuses].filter((query) => {
            const hits = list.rows.map(({ value }) => matches(value, query));
            return hits.slice(0, limit).includes(false) && hits.slice(limit).includes(true);
          });
          return TE.sequenceArray(
            [1, 2].map((number) => narrow(reading, number, limit, [], telling.slice(0, 2))),
          );
        }),
        TE.map((pages) => verdictOf(`${needed} on more than one page`, pages.flatMap(judgeItems))),
      ),
  },
  {
    id: 'findings.repo-id-and-filter',
    section: '4.2 rule 2',
    level: 'must',
    statement: 'findings: with repoId, severity and status leave the totals of that repository alone',
    compares: true,
    check: (reading) =>
      pipe(
        allOf(reading, 'findings'),
        TE.flatMap((list) => {
          const repoId = mixedRepo(list);
          return repoId === null
            ? TE.right([])
            : TE.map((narrowed: Narrowed) => [...judgeItems(narrowed), ...judgeTotals(narrowed)])(
                narrow(reading, 1, 100, [['repoId', repoId]], severities),
              );
        }),
        TE.map((cases) => verdictOf('a repository with findings of different severity', cases)),
      ),
  },
];

/** A repository whose findings differ in severity. */
const mixedRepo = ({ rows }: List): string | null => {
  const first = new Map<string, unknown>();
  for (const { value } of rows) {
    const repoId = textIn(value, 'repoId');
    if (repoId === null || repoId === '') continue;
    if (first.has(repoId) && first.get(repoId) !== value.severity) return repoId;
    if (!first.has(repoId)) first.set(repoId, value.severity);
  }
  return null;
};
