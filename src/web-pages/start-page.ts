import { docsPaths } from './docs-paths.js';
import { type Html, html } from './html.js';
import { explorerPath, type PageContext, page } from './layout.js';

/** An account that anyone may use; `password` is null if the page must not show it. */
export type DemoAccount = Readonly<{ name: string; email: string; password: string | null }>;

/** An operation as the start page lists it. */
export type ListedOperation = Readonly<{
  method: string;
  path: string;
  purpose: string;
  accepts: readonly string[];
}>;

/** The start page: what this server is, its endpoints, and the demo accounts. */
export const startPage = (
  context: PageContext,
  operations: readonly ListedOperation[],
  demoAccounts: readonly DemoAccount[],
): Html =>
  page(
    'Dependency triage API',
    context,
    html`<p class="lead">A read-only API (v1) of a service that scans repositories for vulnerable
dependencies, triages its findings and opens pull requests with fixes.</p>
${context.user === null ? signedOutIntro : signedInIntro(context.user, context.hasExplorer)}
<h2>Endpoints</h2>
<ul class="operations">
${operations.map(
  ({ method, path, purpose, accepts }) => html`<li class="card">
<p><code>${method} ${path}</code></p>
<p>${purpose}</p>
<p class="hint">Authentication: ${accepts.map(credentialName).join(' or ')}</p>
</li>`,
)}
</ul>
<p class="next"><a class="button quiet" href="${docsPaths.page}">Try them in the API reference</a>
<a class="button quiet" href="${docsPaths.document}">OpenAPI document</a></p>
${demoAccounts.length === 0 ? null : demoAccountList(demoAccounts)}`,
  );

const credentialName = (kind: string): string => (kind === 'session' ? 'session cookie' : 'bearer token');

const signedOutIntro = html`<p class="next"><a class="button" href="/signup">Sign up</a>
<a class="button quiet" href="/login">Log in</a></p>
<p>Every new account starts with its own demo data.</p>`;

const signedInIntro = (
  { name, email }: Readonly<{ name: string; email: string }>,
  hasExplorer: boolean,
): Html => html`<p>You are signed in as <bdi>${name}</bdi> (<bdi>${email}</bdi>).</p>
<p class="next">${
  hasExplorer
    ? html`<a class="button" href="${explorerPath}">Explore your data</a>`
    : html`<a class="button" href="/api/v1/repos">Your repositories (JSON)</a>`
}
<a class="button quiet" href="/settings/api-tokens">API tokens</a></p>`;

const demoAccountList = (demoAccounts: readonly DemoAccount[]): Html => html`<h2>Demo accounts</h2>
<p>These accounts come with the fixtures. Anyone may use them.</p>
<ul class="accounts">
${demoAccounts.map(demoAccountCard)}</ul>`;

const demoAccountCard = ({ name, email, password }: DemoAccount): Html => {
  const shownPassword = password === null ? html`see the fixture file` : html`<code>${password}</code>`;
  const details = [
    detail('Name', html`<bdi>${name}</bdi>`),
    detail('E-mail', html`<bdi>${email}</bdi>`),
    detail('Password', shownPassword),
  ];
  return html`<li class="card"><dl>${details}</dl></li>
`;
};

const detail = (name: string, value: Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
