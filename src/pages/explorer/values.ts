import { relativeTime } from '../../api/views.js';
import { millisecondsOf, type Timestamp } from '../../contract/codecs/timestamp.js';
import { Severity, valuesOf } from '../../contract/enums.js';
import { type Html, html } from '../html.js';
import { findingPath, findingsOf } from '../paths.js';
import type { Shown } from './explorer-page.js';

/** The value null. */
export const nothing = html`<span class="none">null</span>`;

/** Text of any language and direction, which must not disturb what stands around it. */
export const text = (value: string): Html =>
  value === '' ? html`<span class="none">empty</span>` : html`<bdi>${value}</bdi>`;

/** Text that may be broken at its own signs, such as the name of a package or an address. */
export const breakable = (value: string): Html =>
  value === ''
    ? text(value)
    : html`<bdi>${value.split(/(?<=[./:@?&_-])/).map((part) => html`<wbr>${part}`)}</bdi>`;

/** An identifier or a version, in the typeface of code. */
export const code = (value: string): Html =>
  value === '' ? text(value) : html`<code><bdi>${value}</bdi></code>`;

/** A number, as JSON writes it. */
export const figure = (value: number): Html => html`<span class="figure">${value}</span>`;

/** A count with a separator between thousands: `12,345`. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** A boolean, as JSON writes it. */
export const flag = (value: boolean): Html => html`<span class="flag">${String(value)}</span>`;

/** More than a clock that is a little wrong explains, in milliseconds. */
const future = 60_000;

/** A moment: relative to now, in the words of the API, and absolute to the second. */
export const moment = (timestamp: Timestamp | null, { now }: Pick<Shown, 'now'>): Html => {
  if (timestamp === null) return nothing;
  const at = millisecondsOf(timestamp);
  const relative = at - now > future ? 'in the future' : relativeTime(at, now);
  return html`<time datetime="${timestamp}" title="${timestamp}">${relative} <span class="at aside">${timestamp.slice(0, 16).replace('T', ' ')} UTC</span></time>`;
};

/** Text with line breaks, such as the excerpt of a change. A long one is folded up. */
export const preformatted = (value: string, name: string): Html => {
  if (value === '') return text(value);
  const lines = value.split('\n').length;
  const pre = html`<pre class="excerpt"><bdi>${value}</bdi></pre>`;
  return lines <= maxLines && value.length <= maxLength
    ? pre
    : html`<details><summary>${name}: ${lines === 1 ? '1 line' : `${lines} lines`}, ${grouped(value.length)} characters</summary>${pre}</details>`;
};

const maxLines = 10;
const maxLength = 800;

/** Text that is usually short; a long one is folded up after its beginning. */
export const maybeLong = (value: string | null): Html => {
  if (value === null) return nothing;
  if (value.length <= maxShort) return text(value);
  const beginning = Array.from(value.slice(0, maxShort)).slice(0, -1).join('');
  return html`<details><summary><bdi>${beginning}</bdi>…</summary><p><bdi>${value}</bdi></p></details>`;
};

const maxShort = 160;

/** A link to a page elsewhere; text if the address is not one of the web. */
export const externalLink = (url: string): Html =>
  /^https?:\/\//i.test(url) && URL.canParse(url)
    ? html`<a href="${url}" rel="noopener noreferrer">${breakable(url)}</a>`
    : text(url);

/** Severities, the worst first. */
export const severities = valuesOf(Severity);

/** A severity as a word, with as many filled squares as it is severe, so that it does not depend on color. */
export const severityMark = (severity: Severity): Html => {
  const filled = severities.length - severities.indexOf(severity);
  return html`<span class="severity severity-${severity}"><svg width="${8 * severities.length - 2}" height="9" aria-hidden="true">${severities.map(
    (_, index) =>
      html`<rect x="${8 * index + 0.5}" y="1.5" width="6" height="6" class="${index < filled ? 'filled' : 'open'}"/>`,
  )}</svg>${severity}</span>`;
};

/** The series of a chart that counts a state, and a sign for those who cannot tell its color. */
const stateSigns: Readonly<Record<string, readonly [series: number, sign: string]>> = {
  pending: [1, '○'],
  drafting: [2, '◐'],
  escalated: [3, '▲'],
  resolved: [4, '✓'],
  open: [1, '○'],
  merged: [2, '✓'],
  closed: [3, '✕'],
  other: [4, '•'],
};

/** The sign of a state in the color of its series; nothing for a state that no chart counts. */
export const stateSign = (state: string): Html | null => {
  const [series, sign] = stateSigns[state] ?? [];
  return sign === undefined
    ? null
    : html`<span class="sign ink-${series}" aria-hidden="true">${sign}</span> `;
};

/** A word for a state, set apart from text. */
export const stateMark = (state: string | null): Html =>
  state === null
    ? html`<span class="state none">null</span>`
    : html`<span class="state">${stateSign(state)}<bdi>${state === '' ? 'empty' : state}</bdi></span>`;

/** The name of a repository, which leads to its findings, and its id. */
export const repoLink = (repoId: string, { repoName }: Shown): Html => {
  const name = repoName(repoId);
  const link = html`<a href="${findingsOf(repoId)}">${name === null ? code(repoId) : text(name)}</a>`;
  return name === null ? link : html`${link} <span class="aside">${code(repoId)}</span>`;
};

/** The name of a package, which leads to its finding; a pull request has the id of its finding. */
export const packageLink = (name: string, _: Shown, { id }: Readonly<{ id: string }>): Html =>
  html`<a href="${findingPath(id)}">${breakable(name)}</a>`;
