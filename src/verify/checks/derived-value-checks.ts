import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ListName } from '../../client/operation-requests.js';
import { isJsonEqual } from '../../common/canonical-json.js';
import { compareCodePoints } from '../../common/compare-code-points.js';
import type { Check } from '../check.js';
import { allOf, reposOf } from '../lists.js';
import { type Seen, textIn } from '../row.js';
import { type Case, fieldIs, verdictOf, violation } from '../verdict.js';

const may = (id: string, section: string, statement: string, check: Check['check']): Check => ({
  id: `decisions.${id}`,
  section,
  level: 'may',
  statement,
  compares: true,
  check,
});

const repos =
  (needed: string, judge: (repos: readonly Seen[]) => readonly Case[]): Check['check'] =>
  (reading) =>
    pipe(
      reposOf(reading),
      TE.map((rows) => verdictOf(needed, judge(rows))),
    );

const latestFirst =
  (name: ListName, field: string): Check['check'] =>
  (reading) =>
    pipe(
      allOf(reading, name),
      TE.map(({ rows }) =>
        verdictOf(
          `two of ${name}`,
          rows.slice(1).map((row, index) => {
            const [before, at] = [
              textIn(rows[index]?.value ?? {}, field) ?? '',
              textIn(row.value, field) ?? '',
            ];
            const isTie = before === at && name === 'findings';
            const [left, right] = [
              textIn(rows[index]?.value ?? {}, 'id') ?? '',
              textIn(row.value, 'id') ?? '',
            ];
            return at < before || (at === before && (!isTie || compareCodePoints(left, right) <= 0))
              ? null
              : violation(row.from, [...row.path, field], `not after ${before}, which comes before it`, at);
          }),
        ),
      ),
    );

const isNever = ({ value }: Seen): boolean => value.lastScan === null || value.lastScanAt === null;

/** The draft of the open pull request that was updated last. */
const latestDraft = (open: readonly Seen[]): unknown => {
  const latest = open.reduce<Seen | undefined>((best, each) => {
    if (best === undefined) return each;
    const [l, r] = [textIn(best.value, 'updatedAt') ?? '', textIn(each.value, 'updatedAt') ?? ''];
    const isFirst =
      l === r && compareCodePoints(textIn(each.value, 'id') ?? '', textIn(best.value, 'id') ?? '') < 0;
    return r > l || isFirst ? each : best;
  }, undefined);
  return latest?.value.id ?? null;
};

/** What we decided where the contract is silent about values and their order; docs/decisions.md has the reasons. */
export const derivedValueChecks: readonly Check[] = [
  may(
    'order-of-findings',
    '4.2',
    'findings: the most recently discovered first, then by id',
    latestFirst('findings', 'discoveredAt'),
  ),
  may('order-of-prs', '4.4', 'prs: the most recently created first', latestFirst('prs', 'createdAt')),
  may(
    'never-scanned',
    '2.1',
    'repos: without a scan lastScan and lastScanAt are null, lastScanRelative is "never"',
    repos('a repository that was never scanned', (rows) =>
      rows
        .filter(isNever)
        .flatMap((row) => [
          fieldIs(row, 'lastScan', null),
          fieldIs(row, 'lastScanAt', null),
          fieldIs(row, 'lastScanRelative', 'never'),
        ]),
    ),
  ),
  may(
    'never-scanned-last',
    '4.1',
    'repos: those that were never scanned come last',
    repos('repositories with and without a scan', (rows) => {
      const first = rows.findIndex(isNever);
      if (first < 0 || rows.every(isNever)) return [];
      return rows
        .slice(first)
        .map((row) =>
          isNever(row)
            ? null
            : violation(
                row.from,
                row.path,
                'no scanned repository after one without scan',
                row.value.lastScanAt,
              ),
        );
    }),
  ),
  may(
    'owner-initial',
    '2.1',
    'repos: ownerInitial is the first character of owner, in upper case',
    repos('a connected repository', (rows) =>
      rows.map((row) =>
        fieldIs(row, 'ownerInitial', (Array.from(textIn(row.value, 'owner') ?? '')[0] ?? '').toUpperCase()),
      ),
    ),
  ),
  may(
    'open-fix-draft',
    '2.1',
    'repos: openFixDraftId names the open pull request updated last, or is null',
    (reading) =>
      pipe(
        TE.Do,
        TE.apS('rows', reposOf(reading)),
        TE.apS('prs', allOf(reading, 'prs')),
        TE.map(({ rows, prs }) =>
          verdictOf(
            'a connected repository',
            rows.map((row) => {
              const open = prs.rows.filter(
                ({ value }) => value.prState === 'open' && isJsonEqual(value.repoId, row.value.id),
              );
              return fieldIs(row, 'openFixDraftId', latestDraft(open));
            }),
          ),
        ),
      ),
  ),
  may(
    'open-advisories',
    '2.1',
    'repos: openAdvisoryCount counts the advisories of findings that are not resolved',
    (reading) =>
      pipe(
        TE.Do,
        TE.apS('rows', reposOf(reading)),
        TE.apS('findings', allOf(reading, 'findings')),
        TE.map(({ rows, findings }) =>
          verdictOf(
            'a connected repository',
            rows.map((row) => {
              const open = findings.rows.filter(
                ({ value }) => isJsonEqual(value.repoId, row.value.id) && value.status !== 'resolved',
              );
              return fieldIs(
                row,
                'openAdvisoryCount',
                new Set(open.map(({ value }) => value.advisoryId)).size,
              );
            }),
          ),
        ),
      ),
  ),
];
