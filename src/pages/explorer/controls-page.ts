import { FaultKind } from '../../simulation/effect.js';
import type { FaultRule } from '../../simulation/fault-rules.js';
import type { JournalEntry } from '../../simulation/journal.js';
import type { MadeTenant, OnDemandTenant } from '../../simulation/on-demand-tenant.js';
import type { ClockState } from '../../simulation/simulated-clock.js';
import { type Html, html } from '../html.js';
import { areaField, errorAlert, formField, type PageContext, page, selectField } from '../layout.js';
import { docsPaths, explorerPaths } from '../paths.js';
import { viewLinks } from './explorer-page.js';

/** What the page of the controls shows. */
export type ControlsView = Readonly<{
  rules: readonly FaultRule[];
  /** What a rule can name: operations, and pages by their method and path. */
  operations: readonly string[];
  /** Null: the clock and the data cannot be changed. */
  clock: ClockState | null;
  tenants: readonly OnDemandTenant[];
  /** The latest requests, the last one first. */
  requests: readonly JournalEntry[];
  /** The filter of the journal, and what is wrong with it. */
  filter: Entered;
  /** A tenant that was just made: its secrets are shown this once. */
  made: MadeTenant | null;
  /** Why the last form was refused, besides what stands at its fields. */
  message: string | null;
  /** What was posted with it, to correct it. */
  posted: Entered;
}>;

/** The values of a form, and what is wrong with them, by the names of its fields. */
type Entered = Readonly<{
  value: (field: string) => string;
  problems: ReadonlyMap<string, string>;
}>;

/** Nothing was entered. */
export const nothingEntered: Entered = { value: () => '', problems: new Map() };

/** The fields of a rule: a label, a hint, and whether several lines are entered. */
const ruleFields = {
  tenant: { label: 'Tenant', hint: 'Left empty: everybody.' },
  id: { label: 'Finding', hint: 'Its id, such as fix_0001.' },
  query: { label: 'Parameters', hint: 'Such as page=2&limit=10.' },
  requestHeaders: { label: 'Headers of the request', hint: 'A line each: X-Attempt: 2', isLong: true },
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
  times: { label: 'Times', hint: 'Left empty: for ever.' },
  after: { label: 'After', hint: 'With 2, the first two pass.' },
  every: { label: 'Every', hint: 'With 3, every third. Left empty: all.' },
  probability: { label: 'Probability', hint: 'Such as 0.05.' },
} as const;

/** The page on which the mock controls are used with forms, without a script. */
export const controlsPage = (context: PageContext, view: ControlsView): Html =>
  page(
    'Controls',
    context,
    html`${errorAlert(view.message)}
<p class="lead">What this server simulates. Programs use the same <a href="${docsPaths.page}?controls">mock controls</a>.</p>
<div class="controls">${faults(view)}
${view.clock && clockSection(view.clock, view)}
${view.clock && tenantSection(view)}
${journalSection(view)}</div>`,
    {
      head: html`<link rel="stylesheet" href="${explorerPaths.stylesheet}">`,
      section: 'explore',
      isWide: true,
      above: viewLinks('controls', true),
    },
  );

/** A form that posts to one of the controls; `id`: what it is about. */
const form = (control: string, content: Html, id = ''): Html =>
  html`<form method="post" action="${explorerPaths.controls}">
<input type="hidden" name="control" value="${control}">${id !== '' && html`<input type="hidden" name="id" value="${id}">`}
${content}
</form>`;

const button = (control: string, text: string, id = ''): Html =>
  form(control, html`<button class="quiet">${text}</button>`, id);

/** An optional field that was entered as `entered` says. */
const field = (name: string, label: string, { value, problems }: Entered, hint?: string, id = name): Html =>
  formField(name, label, 'off', { value: value(name), problems, isOptional: true, hint, id });

/** A choice of values; `none` is what it says if none is chosen. */
const choice = (
  name: string,
  [label, none, hint]: readonly [label: string, none: string, hint?: string],
  values: readonly string[],
  { value, problems }: Entered,
  id = name,
): Html => {
  const choices = values.map((each) => [each, each] as const);
  return selectField(name, label, [['', none], ...choices], { value: value(name), problems, hint, id });
};

/** A group of the fields of a rule; `first` stands before them. */
const group = (
  title: string,
  first: Html | null,
  names: readonly (keyof typeof ruleFields)[],
  entered: Entered,
): Html => html`<fieldset><legend>${title}</legend>${first}${names.map((name) => {
  const { label, hint, ...others } = ruleFields[name];
  const options = { value: entered.value(name), problems: entered.problems, hint };
  return 'isLong' in others ? areaField(name, label, options) : field(name, label, entered, hint);
})}</fieldset>
`;

const faults = ({ rules, operations, posted }: ControlsView): Html => html`<section aria-labelledby="faults">
<h2 id="faults">Faults</h2>
${rules.length === 0 ? html`<p>There are no rules: nothing fails.</p>` : html`<ul>${rules.map(rule)}</ul>`}
${rules.length > 0 && button('clearFaults', 'Remove all rules')}
<div class="card"><h3>Add a rule</h3>
${form(
  'addFault',
  html`${group(
    'Which requests',
    choice('operation', ['Operation', 'every operation', 'Or a page of this server.'], operations, posted),
    ['tenant', 'id', 'query', 'requestHeaders'],
    posted,
  )}${group(
    'What happens',
    choice('kind', ['Kind', 'none', 'What goes wrong besides.'], Object.keys(FaultKind.codec.keys), posted),
    ['code', 'retryAfter', 'delay', 'jitter', 'bytesPerSecond', 'headers', 'body', 'alter'],
    posted,
  )}${group('How often', null, ['times', 'after', 'every', 'probability'], posted)}
<button>Add the rule</button>`,
)}</div>
</section>`;

const rule = ({ id, matched, applied, ...facts }: FaultRule): Html => {
  const what = Object.entries(facts).filter(([, value]) => value !== undefined);
  return html`<li><strong>${id}</strong> <code>${JSON.stringify(Object.fromEntries(what))}</code>
applied to ${applied} of ${matched} requests ${button('removeFault', `Remove ${id}`, id)}</li>
`;
};

const shownClock = ({ now, running }: ClockState): Html =>
  html`<time datetime="${now}">${now}</time>, ${running ? 'running' : 'standing still'}`;

const clockSection = (clock: ClockState, view: ControlsView): Html => html`<section aria-labelledby="clock">
<h2 id="clock">Clock</h2>
<p>${shownClock(clock)}</p>
<div class="card"><div class="narrow">
${form('changeClock', html`${field('now', 'Moment', view.posted, 'Such as 2026-11-20T12:00:00Z. The clock stands still there.')}<button>Set the clock</button>`)}
${form('changeClock', html`${field('advance', 'Time', view.posted, 'Such as 2h, 1h30m or -1d.')}<button>Let the time pass</button>`)}
${form('changeClock', html`<button class="quiet" name="running" value="true">Let the clock run</button>`)}
${button('releaseClock', 'Use the machine’s clock')}
</div></div></section>`;

const tenantSection = (view: ControlsView): Html => html`<section aria-labelledby="tenants">
<h2 id="tenants">Tenants on demand</h2>
${view.made !== null && madeTenant(view.made)}
${view.tenants.length === 0 ? html`<p>There are none.</p>` : html`<ul>${view.tenants.map(tenant)}</ul>`}
<div class="card"><h3>Make a tenant</h3>
${form(
  'createTenant',
  html`<div class="narrow">${field('from', 'Fixture', view.posted, 'The name of a file. Left empty: demo, or the first one.')}
${field('ttl', 'Lasts', view.posted, 'Such as 30m. Left empty: one hour.')}
<button>Make the tenant</button></div>`,
)}</div>
<div class="card"><h3>Credentials</h3>
${form(
  'setCredentials',
  html`<div class="narrow">${field('id', 'Tenant', nothingEntered, 'Any tenant.', 'of-credentials')}
${(['session', 'token'] as const).map((kind) => choice(kind, [`Each ${kind}`, 'as it is'], ['valid', 'expired', 'revoked'], view.posted))}
<button>Change the credentials</button></div>`,
)}</div></section>`;

const madeTenant = ({
  user,
  session,
  token,
  password,
}: MadeTenant): Html => html`<p role="status">The tenant was
made. Its credentials are shown this once.</p>
<dl><dt>E-mail</dt><dd>${user.email}</dd><dt>Password</dt><dd><code>${password}</code></dd>
<dt>Session cookie</dt><dd><code>${session}</code></dd><dt>Bearer token</dt><dd><code>${token}</code></dd></dl>`;

const tenant = ({ id, from, rows, expiresAt }: OnDemandTenant): Html => html`<li><strong>${id}</strong>
${from !== null && html`from ${from}, `}${rows} rows, ${expiresAt === null ? 'until it is removed' : html`until <time datetime="${expiresAt}">${expiresAt}</time>`}
${form('changeTenantClock', html`<button class="quiet" name="advance" value="1h">Let an hour pass for ${id}</button>`, id)}
${button('removeTenant', `Remove ${id}`, id)}</li>
`;

const journalSection = ({
  requests,
  operations,
  filter,
}: ControlsView): Html => html`<section aria-labelledby="journal">
<h2 id="journal">Journal</h2>
<form method="get" action="${explorerPaths.controls}#journal" class="narrow">
${choice('operation', ['Operation', 'every one'], operations, filter, 'of-operation')}
${field('tenant', 'Tenant', filter, undefined, 'of-tenant')}
${field('status', 'Status', filter, undefined, 'of-status')}
${field('since', 'Since time or number', filter, undefined, 'of-since')}
<button class="quiet">Show</button></form>
${
  requests.length === 0
    ? html`<p>There were no such requests.</p>`
    : html`<p class="hint">The latest requests, without style sheets, scripts and pages that ask for changes.</p>
<ol reversed>${requests.map(entry)}</ol>${button('clearRequests', 'Empty the journal')}`
}
</section>`;

const entry = ({ number, method, url, status, tenant, simulated, warning }: JournalEntry): Html =>
  html`<li value="${number}"><code>${method} ${url}</code> <strong>${status}</strong>${tenant !== null && ` for ${tenant}`}${simulated !== null && `, simulated: ${simulated}`}${warning !== null && `, warning: ${warning}`}</li>
`;
