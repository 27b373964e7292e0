import { operations } from '../../contract/operations.js';
import { FaultKind } from '../../simulation/effect.js';
import type { FaultRule } from '../../simulation/fault-rules.js';
import type { JournalEntry } from '../../simulation/journal.js';
import type { MadeTenant, OnDemandTenant } from '../../simulation/on-demand-tenant.js';
import type { ClockState } from '../../simulation/simulated-clock.js';
import { type Html, html } from '../html.js';
import { errorAlert, formField, type PageContext, page, selectField } from '../layout.js';
import { docsPaths, explorerPaths } from '../paths.js';
import { viewLinks } from './explorer-page.js';

/** What the page of the controls shows. */
export type ControlsView = Readonly<{
  rules: readonly FaultRule[];
  /** Null: the clock and the data cannot be changed. */
  clock: ClockState | null;
  tenants: readonly OnDemandTenant[];
  /** The latest requests, the last one first. */
  requests: readonly JournalEntry[];
  /** A tenant that was just made: its secrets are shown this once. */
  made: MadeTenant | null;
  /** Why the last form was refused. */
  message: string | null;
  /** What was posted with it, to correct it. */
  posted: (field: string) => string;
}>;

/** The labels of the fields, by which the page names them in messages, too. */
export const fieldLabels = {
  operation: 'Operation',
  kind: 'What happens',
  code: 'Status',
  delay: 'Delay',
  times: 'How often',
  every: 'Which requests',
  now: 'Moment',
  advance: 'Time',
  from: 'Fixture',
  ttl: 'Lasts',
} as const;

type FieldName = keyof typeof fieldLabels;

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
${journalSection(view.requests)}</div>`,
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

const field = (name: FieldName, { posted }: ControlsView, hint?: string): Html =>
  formField(name, fieldLabels[name], 'off', { value: posted(name), isOptional: true, hint });

/** A choice of values; `none` is what it says if none is chosen. */
const choice = (name: FieldName, none: string, values: readonly string[], { posted }: ControlsView): Html => {
  const choices = values.map((value) => [value, value] as const);
  return selectField(name, fieldLabels[name], [['', none], ...choices], { value: posted(name) });
};

const faults = (view: ControlsView): Html => html`<section aria-labelledby="faults">
<h2 id="faults">Faults</h2>
${view.rules.length === 0 ? html`<p>There are no rules: nothing fails.</p>` : html`<ul>${view.rules.map(rule)}</ul>`}
${view.rules.length > 0 && button('clearFaults', 'Remove all rules')}
<div class="card"><h3>Add a rule</h3>
${form(
  'addFault',
  html`${choice('operation', 'every operation', Object.keys(operations), view)}
${choice('kind', 'a status or a delay', Object.keys(FaultKind.codec.keys), view)}
${field('code', view, 'From 300 to 599.')}
${field('delay', view, 'In milliseconds.')}
${field('times', view, 'Left empty: for ever.')}
${field('every', view, 'With 3, every third. Left empty: all.')}
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
<div class="card">
${form('changeClock', html`${field('now', view, 'Such as 2026-11-20T12:00:00Z. The clock stands still there.')}<button>Set the clock</button>`)}
${form('changeClock', html`${field('advance', view, 'Such as 2h, 1h30m or -1d.')}<button>Let the time pass</button>`)}
${form('changeClock', html`<button class="quiet" name="running" value="true">Let the clock run</button>`)}
${button('releaseClock', 'Use the machine’s clock')}
</div></section>`;

const tenantSection = (view: ControlsView): Html => html`<section aria-labelledby="tenants">
<h2 id="tenants">Tenants on demand</h2>
${view.made !== null && madeTenant(view.made)}
${view.tenants.length === 0 ? html`<p>There are none.</p>` : html`<ul>${view.tenants.map(tenant)}</ul>`}
<div class="card"><h3>Make a tenant</h3>
${form(
  'createTenant',
  html`${field('from', view, 'The name of a file. Left empty: demo, or the first one.')}
${field('ttl', view, 'Such as 30m. Left empty: one hour.')}
<button>Make the tenant</button>`,
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

const journalSection = (requests: readonly JournalEntry[]): Html => html`<section aria-labelledby="journal">
<h2 id="journal">Journal</h2>
${
  requests.length === 0
    ? html`<p>There were no requests.</p>`
    : html`<ol reversed start="${requests[0]?.number}">${requests.map(
        ({ method, url, status, tenant: whose, simulated, warning }) =>
          html`<li><code>${method} ${url}</code> <strong>${status}</strong>${whose !== null && ` for ${whose}`}${simulated !== null && `, simulated: ${simulated}`}${warning !== null && `, warning: ${warning}`}</li>
`,
      )}</ol>${button('clearRequests', 'Empty the journal')}`
}
</section>`;
