import { type Html, html, shownName } from './html.js';
import { type PageContext, page } from './layout.js';
import { docsPaths } from './paths.js';

/**
 * The API reference: Swagger UI for the OpenAPI document. It is the only page that needs a script.
 * `hasControls`: whether there are mock controls, whose reference is the same page with `?controls`.
 */
export const docsPage = (context: PageContext, hasControls: boolean): Html =>
  page(
    'API reference',
    context,
    html`${context.user === null ? signedOutHint : signedInHint(context.user)}
<p class="hint">Also as <a href="${docsPaths.document}">openapi.json</a>, from which you can
generate clients.${hasControls ? controlsHint : html``}</p>
<div id="reference" data-signed-in="${context.user === null ? 'no' : 'yes'}" data-email="${context.user?.email ?? ''}"><p>This page needs JavaScript.
Without it, read <a href="${docsPaths.document}">openapi.json</a>,
which has the same content.</p></div>`,
    {
      section: 'docs',
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
