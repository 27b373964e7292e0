import { parseJson } from '../../common/json.js';
import type { JournalExchange } from '../../simulation/controls/shown-exchange.js';
import { FaultKind } from '../../simulation/effect.js';
import type { FaultRule } from '../../simulation/fault-rules.js';
import type { JournalEntry } from '../../simulation/journal.js';
import type { MadeTenant, OnDemandTenant } from '../../simulation/on-demand-tenant.js';
import type { ClockState } from '../../simulation/simulated-clock.js';
import { type Html, html } from '../html.js';
import { errorAlert, formField, notice, type PageContext, page } from '../layout.js';
import { copyScriptPath, docsPaths, explorerPaths, queryString } from '../paths.js';
import { viewLinks } from './explorer-page.js';
import { presets } from './presets.js';
import { requestOf, ruleSentence } from './rule-sentence.js';

/** What the page of the controls shows. */
export type ControlsView = Readonly<{
  rules: readonly FaultRule[];
  /** What a rule can name: operations, and pages by their method and path. */
  operations: readonly string[];
  /** Null: the clock and the data cannot be changed. */
  clock: ClockState | null;
  /** The tenants that the buttons can be about, the ids of their users and their names. */
  known: readonly (readonly [id: string, name: string])[];
  /** The id of who is signed in; empty: nobody. */
  visitor: string;
  tenants: readonly OnDemandTenant[];
  /** The latest requests, the last one first. */
  requests: readonly JournalEntry[];
  /** Whether those of the explorer are among them. */
  hasOwnRequests: boolean;
  /** The request that is open, and what was sent for it; null: that is not kept. */
  opened: Readonly<{ entry: JournalEntry; exchange: JournalExchange | null }> | null;
  /** The filter of the journal, and what is wrong with it. */
  filter: Entered;
  /** A tenant that was just made: its secrets are shown this once. */
  made: MadeTenant | null;
  /** What the last form has done; null: nothing, or it was refused. */
  done: string | null;
  /** Why the last form was refused, besides what stands at its fields. */
  message: string | null;
  /** The rule that is edited; null: the form adds another one. */
  edited: string | null;
  /** What was posted and refused, or what else the form of a rule begins with. */
  posted: Entered;
}>;

/** The values of a form, and what is wrong with them, by the names of its fields. */
type Entered = Readonly<{
  value: (field: string) => string;
  problems: ReadonlyMap<string, string>;
}>;

/** Nothing was entered. */
export const nothingEntered: Entered = { value: () => '', problems: new Map() };

/** A field, or a choice: its label, a hint, and whether several lines are entered. */
type Field = Readonly<{ label: string; hint?: string; isLong?: boolean }>;

/** The fields of the forms by their ids; those that begin with `of-` have the name of another one. */
const fields = {
  of: { label: 'To the requests of' },
  operation: { label: 'Operation', hint: 'Or a page of this server.' },
  tenant: { label: 'Tenant', hint: 'Left empty: everybody.' },
  id: { label: 'Finding', hint: 'Its id, such as fix_0001.' },
  query: { label: 'Parameters', hint: 'Such as page=2&limit=10.' },
  requestHeaders: { label: 'Headers of the request', hint: 'A line each: X-Attempt: 2', isLong: true },
  kind: { label: 'Kind', hint: 'What goes wrong besides.' },
  code: { label: 'Status', hint: '200, or from 300 to 599.' },
  retryAfter: { label: 'Retry after', hint: 'In seconds.' },
  delay: { label: 'Delay', hint: 'In milliseconds.' },
  jitter: { label: 'Jitter', hint: 'Up to so many milliseconds more.' },
  bytesPerSecond: { label: 'Bytes per second', hint: 'Left empty: all at once.' },
  headers: {
    label: 'Headers of the response',
    hint: 'A line each: Location: /login. Retry-After: leaves it out.',
    isLong: true,
  },
  body: { label: 'Body', hint: 'JSON, or else a text; "" is an empty one.', isLong: true },
  alter: {
    label: 'Changes of the body of a 200',
    hint: 'A merge patch, such as {"totalItems": "many", "page": null}',
    isLong: true,
  },
  then: {
    label: 'Changes of the data afterwards',
    hint: 'A merge patch of the fixture file, such as {"findings": {"fix_0001": {"status": "resolved"}}}',
    isLong: true,
  },
  times: { label: 'Times', hint: 'Left empty: for ever.' },
  after: { label: 'After', hint: 'With 2, the first two pass.' },
  every: { label: 'Every', hint: 'With 3, every third. Left empty: all.' },
  probability: { label: 'Probability', hint: 'Such as 0.05.' },
  now: { label: 'Moment', hint: 'Such as 2026-11-20T12:00:00Z. The clock stands still there.' },
  advance: { label: 'Time', hint: 'Such as 2h, 1h30m or -1d.' },
  from: { label: 'Fixture', hint: 'The name of a file. Left empty: demo, or the first one.' },
  ttl: { label: 'Lasts', hint: 'Such as 30m. Left empty: one hour.' },
  'of-credentials': { label: 'Tenant', hint: 'Any tenant.' },
  session: { label: 'Each session' },
  token: { label: 'Each token' },
  'of-operation': { label: 'Operation' },
  'of-tenant': { label: 'Tenant' },
  'of-status': { label: 'Status' },
  'of-since': { label: 'Since time or number' },
  own: { label: 'The explorer’s own requests' },
} satisfies Readonly<Record<string, Field>>;

type FieldId = keyof typeof fields;

/** The page on which the mock controls are used with forms, without a script. */
export const controlsPage = (context: PageContext, view: ControlsView): Html =>
  page(
    'Controls',
    context,
    html`${notice(view.done)}
${view.made !== null && madeTenant(view.made)}
<p class="lead">What this server simulates. Programs use the same <a href="${docsPaths.page}?controls">mock controls</a>.</p>
<div class="controls">${quickSection(view)}
${faults(view)}
${view.clock && clockSection(view.clock, view)}
${view.clock && tenantSection(view)}
${journalSection(view)}</div>`,
    {
      head: html`<link rel="stylesheet" href="${explorerPaths.stylesheet}">${
        view.made !== null && html`<script src="${copyScriptPath}" defer></script>`
      }`,
      about: ['operation', 'tenant', 'status', 'since'].flatMap((name) => view.filter.value(name) || []),
      section: 'explore',
      isWide: true,
      refusal: refusal(view),
      above: viewLinks('controls', true),
    },
  );

/** Why a form was refused, with links to its fields. */
const refusal = ({ message, posted, filter }: ControlsView): Html | null => {
  const ofFilter = Array.from(filter.problems, ([name, problem]) => [`of-${name}`, problem] as const);
  const labels = Object.entries(fields).map(([id, { label }]) => [id, label] as const);
  const problems = new Map([...posted.problems, ...ofFilter]);
  return errorAlert({ message, problems }, Object.fromEntries(labels));
};

/** A form that posts to one of the controls; `id`: what it is about. */
const form = (control: string, content: Html, id = ''): Html =>
  html`<form method="post" action="${explorerPaths.controls}">
<input type="hidden" name="control" value="${control}">${id !== '' && html`<input type="hidden" name="id" value="${id}">`}
${content}
</form>`;

const button = (control: string, text: string, id = ''): Html =>
  form(control, html`<button class="quiet">${text}</button>`, id);

/** A part of the page, and where programs find the same as JSON. */
const section = (id: string, title: string, json: string | null, content: Html): Html =>
  html`<section aria-labelledby="${id}">
<h2 id="${id}" tabindex="-1">${title}</h2>${json !== null && html`<p class="hint"><a href="/__admin/${json}">As JSON</a></p>`}
${content}
</section>`;

/** An optional field with what was entered. */
const field = (id: FieldId, { value, problems }: Entered, name: string = id): Html => {
  const { label, hint, isLong = false }: Field = fields[id];
  const options = { value: value(name), problems, isOptional: true, hint, id };
  return formField(name, label, isLong ? 'lines' : 'off', options);
};

/** A choice of values; `none` is what it says if none is chosen. */
const choice = (
  id: FieldId,
  none: string,
  values: readonly (string | readonly [value: string, text: string])[],
  { value, problems }: Entered,
  name: string = id,
): Html => {
  const { label, hint }: Field = fields[id];
  const choices = values.map((each) => (typeof each === 'string' ? ([each, each] as const) : each));
  return formField(name, label, [['', none], ...choices], { value: value(name), problems, hint, id });
};

/** What people want most, by one click each. */
const quickSection = ({ known, visitor, clock, posted }: ControlsView): Html =>
  section(
    'quick',
    'What shall happen?',
    null,
    form(
      'preset',
      html`<div class="narrow">${choice('of', 'everybody', known, { value: (name) => posted.value(name) || visitor, problems: posted.problems })}</div>
<p class="buttons">${presets
        .filter(({ control }) => clock !== null || control === 'addFault')
        .map(
          ({ name, text }) => html`<button name="preset" value="${name}" class="quiet">${text}</button> `,
        )}</p>
<p class="hint">Eight days pass for the tenant if it is one on demand, or else on the clock of the server, for all tenants.</p>`,
    ),
  );

/** A group of the fields of a rule; `first` stands before them. */
const group = (
  title: string,
  first: Html | null,
  ids: readonly FieldId[],
  entered: Entered,
): Html => html`<fieldset><legend>${title}</legend>${first}${ids.map((id) => field(id, entered))}</fieldset>
`;

const faults = (view: ControlsView): Html => {
  const { rules, operations, posted, edited } = view;
  const isOpen = edited !== null || posted !== nothingEntered;
  return section(
    'faults',
    'Rules',
    'faults',
    html`${rules.length === 0 ? html`<p>There are no rules: nothing fails.</p>` : html`<ul class="list">${rules.map(rule(view))}</ul>`}
${rules.length > 0 && button('clearFaults', 'Remove all rules')}
<p class="hint">Rules apply to the API and to the pages that they name, never to the pages of the explorer.</p>
<details class="card"${isOpen && html` open`}><summary id="rule">${edited === null ? 'More: a rule of your own' : `Edit ${edited}`}</summary>
${form(
  edited === null ? 'addFault' : 'replaceFault',
  html`${posted.value('off') !== '' && html`<input type="hidden" name="off" value="${posted.value('off')}">`}${edited !== null && html`<input type="hidden" name="rule" value="${edited}">`}${group(
    'Which requests',
    choice('operation', 'every operation', operations, posted),
    ['tenant', 'id', 'query', 'requestHeaders'],
    posted,
  )}${group(
    'What happens',
    choice('kind', 'none', Object.keys(FaultKind.codec.keys), posted),
    ['code', 'retryAfter', 'delay', 'jitter', 'bytesPerSecond', 'headers', 'body', 'alter', 'then'],
    posted,
  )}${group('How often', null, ['times', 'after', 'every', 'probability'], posted)}
<button>${edited === null ? 'Add the rule' : 'Change the rule'}</button>`,
)}</details>`,
  );
};

const rule =
  ({ known }: ControlsView) =>
  (each: FaultRule): Html => {
    const { id, matched, applied, off = false } = each;
    const names = new Map(known);
    const request = requestOf(each);
    return html`<li id="${id}" tabindex="-1"><p>${ruleSentence(each, (tenant) => names.get(tenant) ?? tenant)}.
<span class="hint">Applied to ${applied} of ${matched} requests.</span></p>
${form('switchFault', html`<button role="switch" aria-checked="${off ? 'false' : 'true'}" aria-label="${id}">${off ? 'Off' : 'On'}</button>`, id)}
<a class="button quiet" href="${explorerPaths.controls}${queryString({ edit: id })}#rule">Edit ${id}</a>
${button('removeFault', `Remove ${id}`, id)}${request !== null && html` <a href="${request}">Send the request</a>`}</li>
`;
  };

const shownClock = ({ now, running }: ClockState): Html =>
  html`<time datetime="${now}">${now}</time>, ${running ? 'running' : 'standing still'}`;

const clockSection = (clock: ClockState, { posted }: ControlsView): Html =>
  section(
    'clock',
    'Clock',
    'clock',
    html`<p>${shownClock(clock)}</p>
<div class="card"><div class="narrow">
${form('changeClock', html`${field('now', posted)}<button>Set the clock</button>`)}
${form('changeClock', html`${field('advance', posted)}<button>Let the time pass</button>`)}
${form('changeClock', html`<button class="quiet" name="running" value="true">Let the clock run</button>`)}
${button('releaseClock', 'Use the machine’s clock')}
</div></div>`,
  );

const tenantSection = ({ tenants, posted }: ControlsView): Html =>
  section(
    'tenants',
    'Tenants on demand',
    'tenants',
    html`${tenants.length === 0 ? html`<p>There are none.</p>` : html`<ul class="list">${tenants.map(tenant)}</ul>`}
<div class="card"><h3>Make a tenant</h3>
${form(
  'createTenant',
  html`<div class="narrow">${field('from', posted)}
${field('ttl', posted)}
<button>Make the tenant</button></div>`,
)}</div>
<div class="card"><h3>Credentials</h3>
${form(
  'setCredentials',
  html`<div class="narrow">${field('of-credentials', nothingEntered, 'id')}
${(['session', 'token'] as const).map((kind) => choice(kind, 'as it is', ['valid', 'expired', 'revoked'], posted))}
<button>Change the credentials</button></div>`,
)}</div>`,
  );

/** The secrets of a tenant, each with a button that copies it. */
const madeTenant = ({ user, session, token, password }: MadeTenant): Html => {
  const secrets = {
    'E-mail': user.email,
    Password: password,
    'Session cookie': session,
    'Bearer token': token,
  };
  return html`<section class="card minted" aria-labelledby="made"><h2 id="made" tabindex="-1" autofocus>The tenant was made</h2>
<p role="status">Copy its credentials now: they are shown this once.</p>
<dl>${Object.entries(secrets).map(
    ([name, secret], i) =>
      html`<dt>${name}</dt><dd><code id="secret-${i}">${secret}</code> <button type="button" class="quiet" data-copies="secret-${i}" aria-label="Copy: ${name}" hidden>Copy</button></dd>`,
  )}</dl><p class="hint" id="copied" role="status"></p>
<form method="post" action="/login">${Object.entries({
    email: user.email,
    password,
    next: explorerPaths.overview,
  }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button>Log in as this tenant</button></form></section>`;
};

const tenant = ({
  id,
  from,
  rows,
  expiresAt,
}: OnDemandTenant): Html => html`<li id="${id}" tabindex="-1"><strong>${id}</strong>
${from !== null && html`from ${from}, `}${rows} rows, ${expiresAt === null ? 'until it is removed' : html`until <time datetime="${expiresAt}">${expiresAt}</time>`}
${form('changeTenantClock', html`<button class="quiet" name="advance" value="1h">Let an hour pass for ${id}</button>`, id)}
${button('removeTenant', `Remove ${id}`, id)}</li>
`;

const journalSection = (view: ControlsView): Html => {
  const { requests, operations, filter, opened, hasOwnRequests } = view;
  return section(
    'journal',
    'Journal',
    'requests',
    html`<form method="get" action="${explorerPaths.controls}#journal" class="narrow">
${choice('of-operation', 'every one', operations, filter, 'operation')}
${field('of-tenant', filter, 'tenant')}
${field('of-status', filter, 'status')}
${field('of-since', filter, 'since')}
${choice('own', 'are hidden', [['shown', 'are shown']], filter)}
<button class="quiet">Show</button></form>
${opened !== null && openedRequest(opened)}
${
  requests.length === 0
    ? html`<p>There were no such requests.</p>`
    : html`<p class="hint">The latest requests${!hasOwnRequests && ', without those of the explorer, style sheets and scripts'}. A number opens its request.</p>
<div class="scrolled" tabindex="0" role="group" aria-label="Requests"><table class="journal"><thead><tr>${['Number', 'Time', 'Status', 'ms', 'Operation', 'Tenant', 'Simulated'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${requests.map(entryRow(view))}</tbody></table></div>${button('clearRequests', 'Empty the journal')}`
}`,
  );
};

const entryRow =
  ({ known, filter }: ControlsView) =>
  ({ number, at, status, milliseconds, operation, url, tenant, simulated, warning }: JournalEntry): Html => {
    const names = new Map(known);
    const filters = ['operation', 'tenant', 'status', 'since', 'own'].map((name) => [
      name,
      filter.value(name),
    ]);
    const query = queryString({
      ...Object.fromEntries(filters.filter(([, value]) => value)),
      request: number,
    });
    return html`<tr><th scope="row"><a href="${explorerPaths.controls}${query}#opened">${number}</a></th><td><time datetime="${at}">${at.slice(11, 19)}</time></td><td>${status}</td><td class="ms">${milliseconds}</td>
<td>${operation} <code>${url}</code></td><td>${tenant !== null && (names.get(tenant) ?? tenant)}</td><td>${simulated}${warning !== null && html` <span class="hint">Warning: ${warning}</span>`}</td></tr>
`;
  };

/** A request with all that was sent, and a link by which a rule begins with it. */
const openedRequest = ({ entry, exchange }: NonNullable<ControlsView['opened']>): Html => {
  const { number, method, url, status, operation } = entry;
  const { body = '' } = exchange ?? {};
  const parsed = parseJson(body);
  const headersOf = (headers: Readonly<Record<string, string>>): string =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join('');
  return html`<div class="card request" id="opened" tabindex="-1"><h3>Request ${number}: ${operation}</h3>
${
  exchange === null
    ? html`<p>${method} ${url} ${status}. What was sent is kept of the latest hundred requests.</p>`
    : html`<pre>${method} ${url}
${headersOf(exchange.requestHeaders)}</pre>
<h4>${status}, ${exchange.end}</h4>
<pre>${headersOf(exchange.headers)}</pre>
<pre class="json" tabindex="0">${parsed === undefined ? body : JSON.stringify(parsed, null, 2)}</pre>`
}
<p><a class="button quiet" href="${explorerPaths.controls}${queryString({ like: number })}#rule">Make a rule of this</a> <a href="/__admin/requests/${number}">As JSON</a></p></div>`;
};
