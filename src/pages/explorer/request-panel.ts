import type { AnyOperation, CredentialKind } from '../../contract/operations.js';
import { docsPaths } from '../docs-paths.js';
import { type Html, html } from '../html.js';
import { curlCommands, logInCommand } from './curl.js';
import type { ViewContext } from './shown.js';

/** The request behind a view, and what was answered. */
export type ShownRequest = Readonly<{
  operation: Pick<AnyOperation, 'id' | 'method' | 'tag' | 'accepts'>;
  /** Path and query. */
  target: string;
  status: number;
  /** The body as it was parsed, before anything was done with it. */
  body: unknown;
  /** What of the body is shown, if not all of it. */
  part?: string;
}>;

/** The request that gave a view: as a command to copy, its answer as formatted JSON, and its schema. */
export const requestPanel = (
  { operation, target, status, body, part }: ShownRequest,
  { origin, page }: ViewContext,
): Html => html`<aside class="request" aria-labelledby="request">
<h2 id="request">Request</h2>
<pre class="target"><code>${operation.method} ${target}</code></pre>
<p class="hint">Your browser sent the ${credentialNames.session}. This operation accepts the
${operation.accepts.map((kind) => credentialNames[kind]).join(' or a ')}.
<a href="${target}">Open the response</a></p>
${curlCommands(`${origin}${target}`, operation.accepts).map(
  ({ kind, command }) => html`<h3>curl, with a ${credentialNames[kind]}</h3>
<pre class="command"><code>${command}</code></pre>
`,
)}<details><summary>${operation.accepts.includes('bearer') ? 'How to get a session or a token' : 'How to get a session'}</summary>
<p class="hint">The value of your session is not shown: the cookie is <code>HttpOnly</code>. Log in with curl, and
it keeps a session of its own:</p>
<pre class="command"><code>${logInCommand(origin, page.user?.email ?? 'YOUR-ADDRESS')}</code></pre>
${operation.accepts.includes('bearer') ? tokenHint : null}</details>
<h3 id="json">JSON</h3>
<p class="hint">Status ${status}, formatted.${part === undefined ? null : ` ${part}`}
<a href="${docsPaths.page}#/${encodeURIComponent(operation.tag)}/${operation.id}">Schema in the API reference</a></p>
<pre class="json" tabindex="0" role="region" aria-labelledby="json"><code>${JSON.stringify(body, null, 2)}</code></pre>
</aside>`;

const credentialNames: Readonly<Record<CredentialKind, string>> = {
  session: 'session cookie',
  bearer: 'bearer token',
};

const tokenHint = html`<p class="hint">Mint a token under <a href="/settings/api-tokens">Tokens</a> and set it:
<code>export TRIAGE_TOKEN=…</code></p>`;
