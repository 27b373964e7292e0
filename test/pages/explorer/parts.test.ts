import test from 'ava';
import fc from 'fast-check';
import { Timestamp } from '../../../src/contract/codecs/timestamp.js';
import { operations } from '../../../src/contract/operations.js';
import { type ListPlace, placeLink } from '../../../src/pages/explorer/lists.js';
import { prsPage } from '../../../src/pages/explorer/prs-page.js';
import { externalLink, maybeLong, moment, preformatted } from '../../../src/pages/explorer/values.js';
import { at, now } from '../../_data.js';
import { aContext, aPr, textOf } from './_rows.js';

const shown = (timestamp: string): string =>
  Timestamp.is(timestamp) ? moment(timestamp, { now: at(now) }).markup : 'no timestamp';

test('a moment is shown relative to now and absolutely, and is readable by programs', (t) => {
  const markup = shown('2026-11-18T11:30:59.123Z');
  t.regex(markup, /^<time datetime="2026-11-18T11:30:59.123Z"/);
  t.is(textOf(markup).replaceAll(/\s+/g, ' ').trim(), '2 days ago 2026-11-18 11:30 UTC');
});

test('a moment after now is not called recent, unless clocks may differ', (t) => {
  t.regex(shown('2026-11-20T12:02:00.000Z'), /in the future/);
  t.regex(shown('2026-11-20T12:00:30.000Z'), /just now/);
  t.is(textOf(moment(null, { now: at(now) }).markup).trim(), 'null');
});

test('only addresses of the web become links', (t) => {
  t.regex(externalLink('https://github.example/a/b/pull/1').markup, /^<a href="https:/);
  t.regex(externalLink('HTTP://x.example/').markup, /^<a /);
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//x.example',
    'http://',
    '',
    ' https://x.y',
  ]) {
    t.notRegex(externalLink(url).markup, /<a /, url);
  }
});

test('a short excerpt is shown, a long one is folded up, and both keep their line breaks', (t) => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) => `- ${index}`).join('\n');
  t.regex(preformatted(lines(3), 'Excerpt').markup, /^<pre class="excerpt"><bdi>- 0\n- 1\n- 2</);
  t.regex(preformatted(lines(40), 'Excerpt').markup, /^<details><summary>Excerpt: 40 lines, /);
  t.regex(preformatted('x'.repeat(900), 'Excerpt').markup, /<summary>Excerpt: 1 line, 900 characters/);
});

test('the beginning of a long text does not end inside a character', (t) => {
  const { markup } = maybeLong('𝒳'.repeat(200));
  t.regex(markup, /^<details>/);
  t.true(markup.isWellFormed());
  t.is(textOf(markup).match(/𝒳/gu)?.length, 279);
});

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
  const { markup } = prsPage(
    aContext,
    { request, query, answer, ignored: [], repos: [], rows: undefined, without: [] },
    new Map(),
  );
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
