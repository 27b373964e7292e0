import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { RequestAuth } from '../client/api-request.js';
import { type ListName, pageRequest, reposRequest } from '../client/operation-requests.js';
import { canonicalJson } from '../common/canonical-json.js';
import { type Finding, FindingPage } from '../contract/finding.js';
import type { PageInfo } from '../contract/page.js';
import { maxLimit } from '../contract/parameters.js';
import { type Pr, PrPage } from '../contract/pr.js';
import { type Repo, RepoList } from '../contract/repo.js';
import { ok } from './expected.js';
import type { Listener } from './listener.js';
import type { Source } from './reading.js';

/** Told how many rows of a list have been read, of how many. */
export type Tell = (list: string, done: number, of: number) => void;

/** The three lists of a user, each to be read whole. */
export const listSources = (listen: Listener, who: RequestAuth, tell: Tell) => ({
  repos: reposSource(listen, who),
  findings: pagedSource<Finding>(listen, who, tell, 'findings', FindingPage, ({ id }) => id),
  // A pull request shows no id of its own, and shares that of its draft with others.
  prs: pagedSource<Pr>(listen, who, tell, 'prs', PrPage, canonicalJson),
});

const reposSource = (listen: Listener, who: RequestAuth): Source<Repo> => {
  const read: Source<Repo>['read'] = async () =>
    E.map(({ value, date }: Readonly<{ value: readonly Repo[]; date: number | null }>) => ({
      rows: value,
      head: canonicalJson(value.map((repo) => ({ ...repo, lastScanRelative: null }))),
      date,
      isWhole: true,
      signs: [],
    }))(await listen(reposRequest(who), ok(RepoList)));
  return { name: 'repos', read, look: read };
};

type Page<A> = PageInfo & Readonly<{ items: readonly A[] }>;

const pagedSource = <A extends Readonly<{ id: string }>>(
  listen: Listener,
  who: RequestAuth,
  tell: Tell,
  name: ListName,
  codec: t.Type<Page<A>, unknown>,
  keyOf: (row: A) => string,
): Source<A> => {
  const page = (number: number) => listen(pageRequest(name, number, maxLimit, [], who), ok(codec));
  const headOf = ({ items, totalItems }: Page<A>): string => canonicalJson([items, totalItems]);
  return {
    name,
    look: async () =>
      E.map(({ value, date }: Readonly<{ value: Page<A>; date: number | null }>) => ({
        head: headOf(value),
        date,
      }))(await page(1)),
    read: async () => {
      const pages: Page<A>[] = [];
      const rows: A[] = [];
      let head = '';
      let date: number | null = null;
      let isWhole = true;
      for (let number = 1; ; number += 1) {
        const answer = await page(number);
        if (E.isLeft(answer)) return answer;
        const { value } = answer.right;
        if (number === 1) head = headOf(value);
        if (number === 1) date = answer.right.date;
        pages.push(value);
        for (const row of value.items) rows.push(row);
        tell(name, rows.length, value.totalItems);
        if (value.totalItems !== pages[0]?.totalItems) isWhole = false;
        if (!isWhole || value.items.length === 0 || rows.length >= value.totalItems) break;
      }
      return E.right({
        rows,
        head,
        date,
        isWhole,
        signs: [...otherTotals(pages, rows.length), ...repeated(pages, keyOf)],
      });
    },
  };
};

const otherTotals = (pages: readonly PageInfo[], count: number): readonly string[] => {
  const [first, last] = [pages[0], pages.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (first.totalItems !== last.totalItems)
    return [`page ${pages.length} counts ${last.totalItems} in all, page 1 counted ${first.totalItems}`];
  return count === first.totalItems
    ? []
    : [`${count} are on its pages, of ${first.totalItems} that it counts`];
};

const repeated = <A extends Readonly<{ id: string }>>(
  pages: readonly Page<A>[],
  keyOf: (row: A) => string,
): readonly string[] =>
  twice(
    pages.flatMap(({ items }, index) =>
      items.map((row) => ({ key: keyOf(row), name: JSON.stringify(row.id), page: index + 1 })),
    ),
  );

/** The rows that are on more than one page: moved from one to the next, as it seems. */
const twice = (rows: readonly Readonly<{ key: string; name: string; page: number }>[]): readonly string[] => {
  const first = new Map<string, number>();
  const signs: string[] = [];
  for (const { key, name, page } of rows) {
    const before = first.get(key);
    if (before === undefined) first.set(key, page);
    else if (before !== page) signs.push(`${name} is on page ${before} and on page ${page}`);
  }
  return signs.length > 3 ? [...signs.slice(0, 3), `and ${signs.length - 3} more rows likewise`] : signs;
};
