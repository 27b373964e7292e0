import type { AnyOperation } from '../contract/operations.js';
import { demoAccountList, type OfferedAccounts } from './account-pages.js';
import { credentialNames, emailAddress, type Html, html, shownName } from './html.js';
import { type PageContext, page } from './layout.js';
import { docsPaths, explorerPath, operationLink } from './paths.js';

/** The API reference, the only page that needs a script; with `?controls`, that of the controls. */
export const docsPage = (context: PageContext, hasControls: boolean, isOfControls: boolean): Html =>
  page(
    isOfControls ? 'Mock controls' : 'API reference',
    context,
    html`${context.user === null ? signedOutHint : signedInHint(context.user)}
<p class="hint">Also as <a href="${docsPaths.document}">openapi.json</a>, from which you can
generate clients.${hasControls && controlsHint}</p>
<div id="reference" data-signed-in="${context.user === null ? 'no' : 'yes'}" data-email="${context.user?.email ?? ''}"><p>This page needs JavaScript.
Without it, read <a href="${docsPaths.document}">openapi.json</a>,
which has the same content.</p></div>`,
    {
      section: 'docs',
      isWide: true,
      head: html`<link rel="stylesheet" href="${docsPaths.swaggerUiStylesheet}">
<link rel="stylesheet" href="${docsPaths.stylesheet}">
<script src="${docsPaths.swaggerUiScript}" defer></script>
<script src="${docsPaths.script}" defer></script>`,
    },
  );

const controlsHint = html` To simulate failures, see the
<a href="${docsPaths.page}?controls">mock controls</a>.`;

const signedOutHint = html`<p><a href="/login">Log in</a> or <a href="/signup">sign up</a>, open an operation
and execute it: the request goes to this server.</p>`;

const signedInHint = (user: Readonly<{ name: string; email: string }>): Html =>
  html`<p>You are signed in as <bdi>${shownName(user)}</bdi>, so your browser sends the session cookie automatically:
open an operation and execute it. To try a bearer token instead, enter one of your
<a href="/settings/api-tokens">API tokens</a> under Authorize.</p>`;

/** An operation as the start page lists it. */
type ListedOperation = Pick<AnyOperation, 'id' | 'tag' | 'method' | 'path' | 'purpose' | 'accepts'>;

/** The start page: what this server is, the demo accounts, and its endpoints. */
export const startPage = (
  context: PageContext,
  operations: readonly ListedOperation[],
  demoAccounts: OfferedAccounts,
): Html =>
  page(
    'Dependency triage API',
    context,
    html`<p class="lead">A read-only API (v1) of a service that scans repositories for vulnerable
dependencies, triages its findings and opens pull requests with fixes.</p>
${context.user === null ? signedOutIntro : signedInIntro(context.user, context.hasExplorer)}
${demoAccountList(demoAccounts)}
<section aria-labelledby="endpoints">
<h2 id="endpoints">Endpoints</h2>
<ul class="operations">
${operations.map(operationCard)}</ul>
<p class="next"><a class="button quiet" href="${docsPaths.page}">Try them in the API reference</a>
<a class="button quiet" href="${docsPaths.document}">OpenAPI document</a></p>
</section>`,
    { isWide: true },
  );

const operationCard = (operation: ListedOperation): Html => html`<li class="card operation">
<h3><a href="${operationLink(operation)}"><code>${operation.method} ${operation.path}</code></a></h3>
<p>${operation.purpose}</p>
<p class="hint">Authentication: ${operation.accepts.map((kind) => credentialNames[kind]).join(' or ')}</p>
</li>
`;

const signedOutIntro = html`<p class="next"><a class="button" href="/signup">Sign up</a>
<a class="button quiet" href="/login">Log in</a></p>
<p class="hint">Every new account starts with its own demo data.</p>`;

const signedInIntro = (
  user: Readonly<{ name: string; email: string }>,
  hasExplorer: boolean,
): Html => html`<p>You are signed in as ${
  shownName(user) === user.email
    ? emailAddress(user.email, '', '.')
    : html`<bdi>${user.name}</bdi> ${emailAddress(user.email, '(', ').')}`
}</p>
<p class="next">${
  hasExplorer
    ? html`<a class="button" href="${explorerPath}">Explore your data</a>`
    : html`<a class="button" href="/api/v1/repos">Your repositories (JSON)</a>`
}
<a class="button quiet" href="/settings/api-tokens">API tokens</a></p>`;
