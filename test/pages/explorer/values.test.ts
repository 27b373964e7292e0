import test from 'ava';
import { Timestamp } from '../../../src/contract/codecs/timestamp.js';
import { externalLink, maybeLong, moment, preformatted } from '../../../src/pages/explorer/values.js';
import { at, now } from '../../_data.js';
import { textOf } from './_rows.js';

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
