import { docsPaths } from './docs-paths.js';
import { type Html, html } from './html.js';
import { type Frame, page } from './layout.js';

/** The API reference: Swagger UI over the OpenAPI document. The one page that needs a script, so its address alone may run one. */
export const docsPage = (frame: Frame): Html =>
  page(
    'API reference',
    frame,
    html`<p class="lead">Every operation, with what it takes and answers. Open one and execute it: it is sent to this very server.</p>
${frame.user === null ? toStrangers : toUsers(frame.user)}
<p class="hint">Made of <a href="${docsPaths.document}">openapi.json</a>, which generators of clients can read, too.</p>
<div id="reference"><p>This page alone needs JavaScript. Without it, <a href="${docsPaths.document}">openapi.json</a> says the same.</p></div>`,
    html`<link rel="stylesheet" href="${docsPaths.swaggerUiStylesheet}">
<link rel="stylesheet" href="${docsPaths.stylesheet}">
<script src="${docsPaths.swaggerUiScript}" defer></script>
<script src="${docsPaths.script}" defer></script>`,
  );

const toStrangers = html`<p><a href="/login">Log in</a> or <a href="/signup">sign up</a> to try them: your browser then sends the session cookie by itself.</p>`;

const toUsers = ({ name }: Readonly<{ name: string }>): Html =>
  html`<p>You are signed in as ${name}: your browser sends the session cookie by itself. To try a bearer token instead, mint one under
<a href="/settings/api-tokens">API tokens</a>, and enter it under Authorize.</p>`;
