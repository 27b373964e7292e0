import { docsPaths } from './docs-paths.js';
import { type Html, html } from './html.js';
import { type Frame, page } from './layout.js';

/** An account that anybody may use; `password` null: not to be shown here. */
export type DemoAccount = Readonly<{ name: string; email: string; password: string | null }>;

/** One operation, as the start page lists it. */
export type ListedOperation = Readonly<{
  method: string;
  path: string;
  purpose: string;
  accepts: readonly string[];
}>;

/** The start page: what this is, whose data it shows, and where to go next. */
export const startPage = (
  frame: Frame,
  operations: readonly ListedOperation[],
  demoAccounts: readonly DemoAccount[],
): Html =>
  page(
    'Dependency triage, as an API',
    frame,
    html`<p class="lead">The read-only API v1 of a service that scans repositories for vulnerable dependencies, triages what it finds, and opens pull
requests with fixes.</p>
${frame.user === null ? toStrangers : toUsers(frame.user)}
<h2>What you can ask</h2>
<ul class="operations">
${operations.map(
  ({ method, path, purpose, accepts }) => html`<li class="card">
<p><code>${method} ${path}</code></p>
<p>${purpose}</p>
<p class="hint">Takes ${accepts.map((each) => (each === 'session' ? 'the session cookie' : 'a bearer token')).join(' or ')}.</p>
</li>`,
)}
</ul>
<p class="next"><a class="button quiet" href="${docsPaths.page}">Try them: the API reference</a>
<a class="button quiet" href="${docsPaths.document}">OpenAPI document</a></p>
${demoAccounts.length === 0 ? null : accounts(demoAccounts)}`,
  );

const toStrangers = html`<p class="next"><a class="button" href="/signup">Sign up</a> <a class="button quiet" href="/login">Log in</a></p>
<p>A new account starts with demo data of its own.</p>`;

const toUsers = ({
  name,
  email,
}: Readonly<{ name: string; email: string }>): Html => html`<p>You are signed in as ${name} (${email}).</p>
<p class="next"><a class="button" href="/api/v1/repos">Your repositories, as JSON</a>
<a class="button quiet" href="/settings/api-tokens">API tokens</a></p>`;

const accounts = (demoAccounts: readonly DemoAccount[]): Html => html`<h2>Demo accounts</h2>
<p>They come with the fixtures, and are no secret.</p>
<ul class="accounts">
${demoAccounts.map(account)}</ul>`;

const account = ({ name, email, password }: DemoAccount): Html => {
  const told = password === null ? html`in the fixture file` : html`<code>${password}</code>`;
  return html`<li class="card"><dl>${fact('Name', html`${name}`)}${fact('E-mail', html`${email}`)}${fact('Password', told)}</dl></li>
`;
};

const fact = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
