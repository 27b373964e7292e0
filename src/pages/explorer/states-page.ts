import { requestsOf, type State } from '../../simulation/states/index.js';
import { type Html, html } from '../html.js';
import { type PageContext, page } from '../layout.js';
import { explorerPaths, queryString } from '../paths.js';
import { viewLinks } from './explorer-page.js';

/** What the page of the states shows. */
export type StatesView = Readonly<{
  states: readonly State[];
  /** What is searched for, and the address of the visitor's own page. */
  query: Readonly<{ q: string; next: string }>;
  /** The state that is looked at; null: the list of all. */
  state: State | null;
}>;

const groupTitles: Readonly<Record<State['group'], string>> = {
  values: 'Values of fields',
  texts: 'Texts',
  time: 'Times',
  amounts: 'How many rows',
  failures: 'Failures',
  credentials: 'Credentials',
  changes: 'Changes between two requests',
};

/** Every state of the API in groups, or one of them, to make a tenant in it. Works without a script. */
export const statesPage = (context: PageContext, { states, query, state }: StatesView): Html =>
  page(
    state === null ? 'States' : state.id,
    context,
    state === null ? list(states, query) : detail(state, query),
    {
      head: html`<link rel="stylesheet" href="${explorerPaths.stylesheet}">`,
      about: state === null && query.q !== '' ? [query.q] : [],
      section: 'explore',
      isWide: true,
      above: viewLinks('states', true),
    },
  );

const list = (states: readonly State[], query: StatesView['query']): Html => {
  const { q, next } = query;
  const words = q.toLowerCase().split(/\s+/);
  const found = states.filter(({ id, sentence }) =>
    words.every((word) => `${id} ${sentence}`.toLowerCase().includes(word)),
  );
  const groups = Object.entries(groupTitles).flatMap(([group, title]) => {
    const own = found.filter((each) => each.group === group);
    return own.length === 0 ? [] : [{ group, title, own }];
  });
  return html`<p class="lead">What this API can put a page into. <a href="${explorerPaths.statesJson}">JSON</a></p>
<form method="get" class="narrow"><div class="field"><label for="q">Search</label>
<input id="q" name="q" type="search" value="${q}"></div>
<div class="field"><label for="next">Address of your page on this host</label>
<input id="next" name="next" value="${next}" placeholder="http://localhost:5173/"></div>
<button>Show</button></form>
<p role="status">${found.length} of ${states.length} states</p>
<nav aria-label="Groups"><p class="choices">${groups.map(
    ({ group, title, own }) => html`<a href="#${group}">${title} (${own.length})</a>
`,
  )}</p></nav>
${groups.map(
  ({
    group,
    title,
    own,
  }) => html`<section aria-labelledby="${group}"><h2 id="${group}">${title}</h2><ul>${own.map(
    ({ id, sentence }) =>
      html`<li><a href="${explorerPaths.states}${queryString({ state: id, next: next || undefined })}"><code>${id}</code></a> ${prose(sentence)}</li>
`,
  )}</ul></section>
`,
)}`;
};

/** A sentence in which names stand between backticks. */
const prose = (sentence: string): readonly Html[] =>
  sentence.split('`').map((part, i) => (i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));

/** What a page has to show, in words. */
const expectations: Readonly<Record<State['expects'], string>> = {
  data: 'the data',
  empty: 'that there is nothing',
  error: 'an error',
  'sign-in': 'a way to sign in',
  waiting: 'that it waits',
  'data-or-error': 'the data or an error',
};

const detail = (state: State, { next }: StatesView['query']): Html => {
  const { id, sentence, make, expects, section, keepsContract } = state;
  const open = (
    to: string,
    text: Html | string,
  ): Html => html`<form method="post" action="${explorerPaths.states}">
<input type="hidden" name="state" value="${id}"><input type="hidden" name="next" value="${to}"><button class="quiet">${text}</button></form>
`;
  const requests = state.operations.flatMap((operation) => requestsOf(state, operation));
  const [rule] = make.rules ?? [];
  const code = (title: string, text: string): Html => html`<h2>${title}</h2>
<pre class="command" tabindex="0"><code>${text}</code></pre>
`;
  return html`<p class="lead">${prose(sentence)} A page shows ${expectations[expects]}.</p>
<p>${section !== null && html`Contract, section ${section}. `}${!keepsContract && 'The contract does not allow it. '}It shows in ${state.operations.map(
    (operation) => html`<code>${operation}</code> `,
  )}</p>
<p class="note">Each button makes a tenant of your own in this state, for an hour, and signs you in as it.</p>
<div class="controls">${open(next || explorerPaths.overview, 'Open my page in this state')}
<h2>What the API answers</h2>
${requests.map((path) => open(path, html`GET <code>${path}</code>`))}</div>
<div class="request">${code('Copy as request', `curl -H 'Prefer: state=${id}' …`)}${code(
    'Copy as tenant',
    `POST /__admin/tenants\n${JSON.stringify({ state: id }, null, 2)}`,
  )}${rule !== undefined && code('Copy as rule', `POST /__admin/faults\n${JSON.stringify(rule, null, 2)}`)}${code(
    'Copy as test',
    `import { test } from 'triage-api/playwright';

test.use({ state: '${id}' });

test(${JSON.stringify(sentence)}, async ({ page }) => {
  await page.goto('/');
  // It has to show ${expectations[expects]}.
});`,
  )}`;
};
