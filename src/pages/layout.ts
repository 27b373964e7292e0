import { type Html, html, inWords, shownName } from './html.js';
import { docsPaths, explorerPath, explorerPaths, resetPath, stylesheetPath, withNext } from './paths.js';

/** What a page says of what is simulated. */
export type SimulatedLine = Readonly<{
  /** One for each thing, such as `Clock +2 h`. */
  facts: readonly string[];
  /** The page itself, to which a reset leads back; empty: it answers a form, and cannot be asked for. */
  here: string;
}>;

/** What every page shows besides its content: who is signed in, if anybody, and the mode of the server. */
export type PageContext = Readonly<{
  user: Readonly<{ name: string; email: string }> | null;
  mode: ServerMode;
  /** Whether there is an explorer to link to. */
  hasExplorer: boolean;
  /** What is simulated; left out: nothing, or it is not for this visitor to know. */
  simulated?: SimulatedLine | null;
}>;

/** Where the data comes from. */
export type ServerMode = 'fixtures' | 'database' | 'browser';

/** Where the header leads to, besides the start page. */
type Section = 'explore' | 'docs' | 'tokens' | 'account';

/** What sets a page apart from others. */
type PageOptions = Readonly<{
  /** Added to the head element. */
  head?: Html | false;
  /** The section that the page belongs to; the header marks it. */
  section?: Section;
  /** Navigation within the section, above the heading. */
  above?: Html;
  /** What stands on the line of the heading, after it, and what stands beside it and the content. */
  tools?: Html | null;
  beside?: Html | null;
  /** What of the title the heading does not say, such as filters. */
  about?: readonly string[];
  /** Why a form was refused that the page answers; null: it answers none. */
  refusal?: Html | null;
  /** Whether its content is as wide as the page, for cards side by side and tables; text is narrower. */
  isWide?: boolean;
  /**
   * On the pages of the login: where it leads afterwards; null: to the start page. Their header has no other
   * links, because a front end may forward these pages of the server and no others.
   */
  next?: string | null;
}>;

const modeTexts: Readonly<Record<ServerMode, string>> = {
  fixtures: 'Mock server: everything here is demo data from fixtures',
  database: 'Database: your changes are stored permanently',
  browser: 'Demo in your browser: nobody else sees what you do here',
};

/** Empties a demo that runs in the browser. */
const resetForm = html`<form method="post" action="${resetPath}"><button class="quiet">Reset this demo</button></form>`;

/** The line on a page. `hasControls`: whether it leads to the page of the controls, which can reset all. */
const simulatedLine = ({ facts, here }: SimulatedLine, hasControls: boolean): Html =>
  html`<aside class="simulated" aria-label="Simulated"><p>${facts.join(' · ')}</p>${
    hasControls &&
    html`<a href="${explorerPaths.controls}">Controls</a>
<form method="post" action="${explorerPaths.controls}"><input type="hidden" name="control" value="reset"><input type="hidden" name="back" value="${here}"><button class="quiet">Reset</button></form>`
  }</aside>
`;

/** The icon in the tab of a browser: three bars, the longest on top. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0b5c8f"/><path d="M3 4h10M3 8h7M3 12h4" stroke="#fff" stroke-width="2"/></svg>',
)}`;

/** A complete page around its content. */
export const page = (
  title: string,
  { user, mode, hasExplorer, simulated }: PageContext,
  content: Html,
  {
    head,
    section,
    above,
    tools = null,
    beside = null,
    about = [],
    refusal = null,
    isWide = false,
    next,
  }: PageOptions = {},
): Html => {
  const isLogin = next !== undefined;
  const link = (to: Section, path: string, text: string): Html =>
    html`<a href="${path}"${to === section && html` aria-current="page"`}>${text}</a>
`;
  // Behind the tabs and tools: whoever skips to it has their next stop in the content.
  const heading = html`<h1 id="content">${title}</h1>`;
  const body = html`${tools === null ? heading : html`<div class="heading">${tools}${heading}</div>`}
${refusal}${content}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${refusal && 'Error: '}${[title, ...about, 'triage-api'].join(' · ')}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${stylesheetPath}">
${head}
</head>
<body${isWide && html` class="wide"`}>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="name" href="/">triage-api</a>
${
  !isLogin &&
  html`<nav aria-label="Main">${hasExplorer && link('explore', explorerPath, 'Explore')}${[
    link('docs', docsPaths.page, 'Docs'),
    link('tokens', '/settings/api-tokens', 'Tokens'),
  ]}</nav>
`
}<div class="session">${
    user === null
      ? html`<a href="${withNext('/login', next)}">Log in</a>
<a href="${withNext('/signup', next)}">Sign up</a>`
      : html`<span class="who"><span class="as">Signed in as</span> <bdi>${shownName(user)}</bdi></span>
${!isLogin && link('account', '/settings/account', 'Account')}
<form method="post" action="${withNext('/logout', next)}"><button class="quiet">Log out</button></form>`
  }</div>
</header>
<aside class="mode mode-${mode}" aria-label="Data source"><p>${modeTexts[mode]}</p>${mode === 'browser' && resetForm}</aside>
${simulated && simulatedLine(simulated, hasExplorer && !isLogin)}<main>
${above}${
  beside === null
    ? body
    : html`<div class="beside"><div>${body}</div>
${beside}</div>`
}
</main>
</body>
</html>
`;
};

/** Why a form was refused: what stands above it, and what to enter instead, by the ids of its fields. */
export type Refusal = Readonly<{ message: string | null; problems: ReadonlyMap<string, string> }>;

/** No form was refused. */
export const notRefused: Refusal = { message: null, problems: new Map() };

/**
 * Why a form was refused, with links to its fields, which have these labels; null if it was not. Screen
 * readers announce it, and it has the focus unless a field has.
 */
export const errorAlert = (
  { message, problems }: Refusal,
  labels: Readonly<Record<string, string>> = {},
): Html | null => {
  if (problems.size === 0)
    return message === null
      ? null
      : html`<p class="alert" tabindex="-1" autofocus role="alert">${message}</p>`;
  const lines = Array.from(problems, ([id, problem]) => {
    const label = labels[id];
    return html`<li>${label !== undefined && html`<a href="#${id}">${label}</a>: `}${problem}</li>`;
  });
  return html`<div class="alert" role="alert"><p>${message ?? 'Please correct these fields.'}</p><ul>${lines}</ul></div>`;
};

/** What has been done, which screen readers announce; nothing if there is none. */
export const notice = (message: string | null): Html | null =>
  message === null ? null : html`<p class="notice" id="done" role="status" tabindex="-1">${message}</p>`;

/** What an input is filled in with, and the type that it therefore has. */
const inputTypes = {
  name: 'text',
  off: 'text',
  username: 'email',
  'current-password': 'password',
  'new-password': 'password',
} as const;

/** Values to choose from and their texts; if none of them is given, the first one is chosen. */
type Choices = readonly (readonly [value: string, text: string])[];

/** What a field takes: an input, by what it is filled in with, several lines, or one of several values. */
type FieldKind = keyof typeof inputTypes | 'lines' | Choices;

type FieldOptions = Readonly<{
  value?: string;
  hint?: string | undefined;
  /** What is wrong with the values of the form, by the names of its fields. */
  problems?: ReadonlyMap<string, string>;
  /** Whether an input may be left empty. */
  isOptional?: boolean;
  /** Left out: the name, which is that of one field on most pages. */
  id?: string;
}>;

/** A labelled field, described by its hint and its problem. The first one with a problem has the focus. */
export const formField = (name: string, label: string, kind: FieldKind, options: FieldOptions = {}): Html => {
  const { value, hint, problems, isOptional = false, id = name } = options;
  const problem = problems?.get(name);
  const ids = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const described = html`${ids !== '' && html` aria-describedby="${ids}"`}${problem !== undefined && html` aria-invalid="true" autofocus`}`;
  return html`<div class="field">
<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${control(html`id="${id}" name="${name}"${described}`, kind, value, isOptional)}
${problem !== undefined && html`<p class="problem" id="${id}-problem">${problem}</p>`}
</div>`;
};

const control = (attributes: Html, kind: FieldKind, value: string | undefined, isOptional: boolean): Html => {
  if (kind === 'lines')
    return html`<textarea ${attributes} rows="2" autocomplete="off" spellcheck="false">
${value}</textarea>`;
  if (typeof kind === 'object')
    return html`<select ${attributes}>
${kind.map(
  ([each, text]) => html`<option value="${each}"${each === value && html` selected`}>${text}</option>
`,
)}</select>`;
  const type = inputTypes[kind];
  const required = !isOptional && html` required`;
  return html`<input ${attributes} type="${type}" autocomplete="${kind}"${required}${type !== 'password' && html` value="${value}"`}>`;
};

/** The headings of the pages of errors. */
const errorTitles: ReadonlyMap<number, string> = new Map([
  [400, 'Bad request'],
  [401, 'Login required'],
  [403, 'Request refused'],
  [404, 'Page not found'],
  [405, 'Method not allowed'],
  [409, 'Conflict'],
  [413, 'Content too large'],
  [415, 'Unsupported content'],
  [421, 'Unknown host'],
  [429, 'Too many requests'],
  [500, 'Something went wrong'],
  [503, 'Service unavailable'],
]);

/** What a page shows of an error. */
type ErrorView = Readonly<{
  status: number;
  /** What happened, in a sentence. */
  message: string | Html;
  /** Seconds after which it may help to try again; null: it does not help. */
  retryAfterSeconds: number | null;
  /** The page of this server that led here; null: none is known. */
  back: string | null;
}>;

/** A page that shows an error, and the ways back. */
export const errorPage = (
  context: PageContext,
  { status, message, retryAfterSeconds, back }: ErrorView,
): Html =>
  page(
    errorTitles.get(status) ?? 'That did not work',
    context,
    html`<p class="lead">${message}</p>
${retryAfterSeconds !== null && html`<p>Try again in <strong>${inWords(retryAfterSeconds)}</strong>.</p>`}
<p class="next">${
      back !== null &&
      html`<a class="button" href="${back}">Back to the previous page</a>
`
    }<a class="button${back === null ? '' : ' quiet'}" href="/">Start page</a>
${context.hasExplorer && html`<a class="button quiet" href="${explorerPath}">Explore</a>`}
<a class="button quiet" href="${docsPaths.page}">API reference</a></p>`,
    { above: html`<p class="status">Error ${status}</p>` },
  );
