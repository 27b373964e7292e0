import test from 'ava';
import fc from 'fast-check';
import { operations } from '../../../src/contract/operations.js';
import { type ListPlace, placeLink } from '../../../src/pages/explorer/lists.js';
import { prsPage } from '../../../src/pages/explorer/prs-page.js';
import { aContext, aPr, textOf } from './_rows.js';

const place = (page: number, totalPages: number, limit = 25): ListPlace => ({
  path: '/explore/prs',
  filters: { repoId: undefined, status: 'open' },
  info: { page, limit, totalItems: totalPages * limit, totalPages },
});

/** The links between the pages of a list. */
const pager = ({ info }: ListPlace): string => {
  const request = { operation: operations.listPrs, target: '/api/v1/prs', status: 200, body: {} };
  const query = { page: info.page, limit: info.limit, repoId: undefined, status: 'open' as const };
  const answer = { ...info, items: [aPr()] };
  const { markup } = prsPage(aContext, { request, query, answer, ignored: [], repos: [] });
  return /<nav class="pager".*?<\/nav>/s.exec(markup)?.[0] ?? '';
};

const links = (markup: string): readonly string[] =>
  Array.from(markup.matchAll(/<a href="([^"]*)"/g), ([, href = '']) => href.replaceAll('&#38;', '&'));

test('a link to another page has exactly the parameters of the API, without defaults', (t) => {
  t.is(placeLink(place(3, 9)), '/explore/prs?status=open');
  t.is(placeLink(place(3, 9), { page: 4 }), '/explore/prs?page=4&status=open');
  t.is(placeLink(place(3, 9, 100), { page: 4 }), '/explore/prs?page=4&limit=100&status=open');
  t.is(placeLink(place(3, 9), { filters: { status: undefined } }), '/explore/prs');
});

test('the first page has no link back, the last one none forward', (t) => {
  t.deepEqual(
    links(pager(place(1, 2))).filter((href) => href.includes('page=')),
    ['/explore/prs?page=2&status=open', '/explore/prs?page=2&status=open'],
  );
  t.regex(textOf(pager(place(2, 2))), /Page 2 of 2/);
  t.notRegex(pager(place(2, 2)), /rel="next"/);
  t.regex(pager(place(2, 2)), /rel="prev"/);
});

test('no link leads beyond the pages that there are', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 53 - 1 }),
      fc.integer({ min: 1, max: 1000 }),
      (page, totalPages) =>
        links(pager(place(page, totalPages))).every((href) => {
          const target = Number(new URL(href, 'http://x').searchParams.get('page') ?? 1);
          return target >= 1 && target <= Math.max(totalPages, 1);
        }),
    ),
  );
  t.pass();
});
