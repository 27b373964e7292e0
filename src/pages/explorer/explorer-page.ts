import { escapeControlCharacters, shellQuote } from '../../common/messages.js';
import type { AnyOperation } from '../../contract/operations.js';
import { type OfferedAccounts, returnTo } from '../account-pages.js';
import { commandFor, cookieJar } from '../commands.js';
import { credentialNames, type Html, html, optionText, shownName } from '../html.js';
import { type PageContext, page } from '../layout.js';
import { demoLogInPath, explorerPaths, operationLink } from '../paths.js';
import { ownParameter } from './conditions.js';

/** What every view of the explorer depends on besides its data. */
export type ViewContext = Readonly<{
  page: PageContext;
  /** The current time in milliseconds, for relative times. */
  now: number;
  /** Where clients reach this server, such as `http://127.0.0.1:4000`; for requests to copy. */
  origin: string;
  /** The version of the data that the page shows, for its script to notice a change; null: unknown. */
  version: string | null;
  /** Whether the visitor may use the mock controls. */
  mayControl: boolean;
  /** A public session of this account, to copy; null: there is none, or not for this visitor. */
  publicSession: string | null;
  /** The accounts to go to from here without a password; null: none. */
  others: OfferedAccounts | null;
}>;

/** What values are shown with: the current time, and the names of repositories by their ids. */
export type Shown = Readonly<{
  now: number;
  /** `owner/repo`; null: the repository is not known. */
  repoName: (repoId: string) => string | null;
}>;

/** The command that logs in and saves the session for the others. */
const logInCommand = (origin: string, email: string): string =>
  `curl -c ${cookieJar} --data-urlencode ${shellQuote(`email=${escapeControlCharacters(email)}`)} --data-urlencode 'password=YOUR-PASSWORD' ${shellQuote(`${origin}/login`)}`;

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

/** A text that lines may break in where the parts of an address end, once where several end. */
const atSlashes = (text: string): readonly Html[] =>
  text.split(/(?<=[/?&])(?![/?&])/).map((part) => html`<wbr>${part}`);

/** The request that gave a view: as a command to copy, its answer as formatted JSON, and its schema. */
const requestPanel = (
  { operation, target, status, body, part }: ShownRequest,
  { origin, page, publicSession }: ViewContext,
): Html => html`<aside class="request" aria-labelledby="request">
<h2 id="request">Request</h2>
<pre class="target"><code>${operation.method} ${atSlashes(target)}</code></pre>
<p class="hint">Your browser sent the ${credentialNames.session}. This operation accepts the
${operation.accepts.map((kind) => credentialNames[kind]).join(' or a ')}.
<a href="${target}">Open the response</a></p>
${operation.accepts.map((kind) => {
  const secret = kind === 'session' ? publicSession : null;
  const [tool, command] = commandFor(page.mode, `${origin}${target}`, kind, secret);
  return html`<h3>${tool}, with a ${credentialNames[kind]}</h3>
<pre class="command"><code>${atSlashes(command)}</code></pre>
`;
})}${page.mode === 'browser' ? consoleHint : curlHint(operation.accepts, origin, page.user?.email)}
<h3 id="json">JSON</h3>
<p class="hint">Status ${status}, formatted.${part === undefined ? null : ` ${part}`}
<a href="${operationLink(operation)}">Schema in the API reference</a></p>
<pre class="json" tabindex="0" role="region" aria-labelledby="json"><code>${JSON.stringify(body, null, 2)}</code></pre>
</aside>`;

const consoleHint = html`<p class="hint">Run this in the console of your browser, on a page of this demo. For other
programs, <code>npx triage-api serve</code> starts the same as a server.</p>`;

const curlHint = (
  accepts: readonly string[],
  origin: string,
  email = 'YOUR-ADDRESS',
) => html`<details><summary>${accepts.includes('bearer') ? 'How to get a session or a token' : 'How to get a session'}</summary>
<p class="hint">The value of your session is not shown: the cookie is <code>HttpOnly</code>. Log in with curl, and
it keeps a session of its own:</p>
<pre class="command"><code>${logInCommand(origin, email)}</code></pre>
${accepts.includes('bearer') && tokenHint}</details>`;

const tokenHint = html`<p class="hint">Mint a token under <a href="/settings/api-tokens">Tokens</a> and set it:
<code>export TRIAGE_TOKEN=…</code></p>`;

/** The views of the explorer, in the order of its navigation. */
const views = [
  ['overview', 'Overview'],
  ['repos', 'Repos'],
  ['findings', 'Findings'],
  ['prs', 'Pull requests'],
] as const;
export type View = (typeof views)[number][0];

/** The pages beside them, for who may use the mock controls. */
const controlsViews = [
  ['controls', 'Controls'],
  ['states', 'States'],
] as const;

/** A page of the explorer: its content and, beside it, the request behind it. */
export const explorerPage = (
  context: ViewContext,
  { view, title, request = null, about = [] }: ShownView,
  content: Html,
): Html =>
  page(title, context.page, content, {
    beside: request && requestPanel(request, context),
    tools: html`${context.others && switcher(context.others)}`,
    about,
    head: html`<link rel="stylesheet" href="${explorerPaths.stylesheet}">
<script src="${explorerPaths.script}" defer data-version="${context.version ?? ''}"></script>`,
    section: 'explore',
    isWide: true,
    above: viewLinks(view, context.mayControl),
  });

/** What sets a page of the explorer apart; `about`: what its title says besides. */
type ShownView = Readonly<{
  view: View;
  title: string;
  request?: ShownRequest | null;
  about?: readonly string[];
}>;

/** Logs in to another account, and comes back to the same page with its filters. */
const switcher = ({ shown, next, current }: OfferedAccounts): Html =>
  html`<form class="switch" method="post" action="${demoLogInPath}">${returnTo(next)}<select name="account" aria-label="Tenant">${shown.map(
    (account) =>
      html`<option value="${account.id}"${account.email === current && html` selected`}>${optionText(shownName(account))}</option>`,
  )}</select> <button class="quiet">Switch</button></form>
`;

export const viewLinks = (current: View | 'controls' | 'states', mayControl: boolean): Html =>
  html`<nav class="views" aria-label="Explorer">${[...views, ...(mayControl ? controlsViews : [])].map(
    ([view, name]) =>
      html`<a href="${explorerPaths[view]}"${view === current && html` aria-current="page"`}>${name}</a>
`,
  )}</nav>`;

/** What is shown in place of rows. */
export const emptyState = (title: string, explanation: Html): Html =>
  html`<section class="state-card card"><h2>${title}</h2>
${explanation}</section>`;

/** What a status means, and where to go; `retry` is the address of the page. */
type Advice = (retry: string) => Readonly<{ title: string; text: Html; href: string; link: string }>;

const advice: Readonly<Record<number, Advice>> = {
  400: (retry) => ({
    title: 'These parameters are not accepted',
    text: html`Pages of the explorer take the parameters of the API, and lists also <code>${ownParameter}</code>.`,
    href: retry.split('?')[0] ?? '',
    link: 'Without parameters',
  }),
  404: () => ({
    title: 'There is no such finding',
    text: html`The API answers the same whether the finding does not exist or belongs to somebody else
(contract, section 4.3).`,
    href: explorerPaths.findings,
    link: 'All findings',
  }),
  503: (href) => ({
    title: 'The data cannot be read at the moment',
    text: html`The storage did not answer. Your data is not affected; the API answers 503 until the storage is back.`,
    href,
    link: 'Try again',
  }),
};

const unexpected: Advice = (href) => ({
  title: 'The API failed',
  text: html`The log of the server says why.`,
  href,
  link: 'Try again',
});

/** The page of a request that failed. `message` is the error text of the API, `retry` leads back here. */
export const failurePage = (
  context: ViewContext,
  view: View,
  { status, message, request }: Readonly<{ status: number; message: string; request: ShownRequest | null }>,
  retry: string,
): Html => {
  const { title, text, href, link } = (advice[status] ?? unexpected)(retry);
  return explorerPage(
    context,
    { view, title, request },
    html`<section class="state-card card"><p class="alert" role="alert"><strong>${status}</strong> <bdi>${message}</bdi></p>
<p>${text}</p>
<p class="next"><a class="button" href="${href}">${link}</a></p></section>`,
  );
};
