import { type Html, html, inWords, shownName } from './html.js';
import { docsPaths, explorerPath, stylesheetPath } from './paths.js';

/** What every page shows besides its content: who is signed in, if anybody, and the mode of the server. */
export type PageContext = Readonly<{
  user: Readonly<{ name: string; email: string }> | null;
  mode: ServerMode;
  /** Whether there is an explorer to link to. */
  hasExplorer: boolean;
}>;

/** Where the data comes from. */
export type ServerMode = 'fixtures' | 'database';

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
  /** Wider than text should be, for cards side by side or a small table; or as wide as a large screen. */
  width?: 'medium' | 'wide' | undefined;
}>;

const modeTexts: Readonly<Record<ServerMode, string>> = {
  fixtures: 'Mock server: everything here is demo data from fixtures',
  database: 'Database: your changes are stored permanently',
};

/** A complete page around its content. */
export const page = (
  title: string,
  context: PageContext,
  content: Html,
  { head, section, above, width }: PageOptions = {},
): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · triage-api</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheetPath}">
${head}
</head>
<body${width !== undefined && html` class="${width}"`}>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="name" href="/">triage-api</a>
<nav aria-label="Main">${context.hasExplorer && sectionLink('explore', explorerPath, 'Explore', section)}${[
  sectionLink('docs', docsPaths.page, 'Docs', section),
  sectionLink('tokens', '/settings/api-tokens', 'Tokens', section),
]}</nav>
${context.user === null ? signedOut : signedIn(context.user, section)}
</header>
<aside class="mode mode-${context.mode}" aria-label="Data source"><p>${modeTexts[context.mode]}</p></aside>
<main id="main">
${above}<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

const sectionLink = (section: Section, path: string, text: string, current: Section | undefined): Html =>
  html`<a href="${path}"${section === current && html` aria-current="page"`}>${text}</a>
`;

const signedOut = html`<div class="session"><a href="/login">Log in</a> <a href="/signup">Sign up</a></div>`;

const signedIn = (
  user: Readonly<{ name: string; email: string }>,
  current: Section | undefined,
): Html => html`<div class="session"><span class="who"><span class="as">Signed in as</span> <bdi>${shownName(user)}</bdi></span>
${sectionLink('account', '/settings/account', 'Account', current)}<form method="post" action="/logout"><button class="quiet">Log out</button></form></div>`;

/** An error message, which screen readers announce at once; nothing if there is none. */
export const errorAlert = (message: string | null): Html | null =>
  message === null ? null : html`<p class="alert" role="alert">${message}</p>`;

/** What has been done, which screen readers announce; nothing if there is none. */
export const notice = (message: string | null): Html | null =>
  message === null ? null : html`<p class="notice" role="status">${message}</p>`;

/** What an input is filled in with, and the type that it therefore has. */
const inputTypes = {
  name: 'text',
  off: 'text',
  username: 'email',
  'current-password': 'password',
  'new-password': 'password',
} as const;

type FormField = Readonly<{
  name: string;
  label: string;
  value?: string;
  hint?: string;
  /** What is wrong with the values of the form, by the names of its fields. */
  problems?: ReadonlyMap<string, string>;
  /** Whether it may be left empty. */
  isOptional?: boolean;
}>;

/** A labelled input. `aria-describedby` refers to its hint and its problem. */
export const formField = (field: FormField & Readonly<{ autocomplete: keyof typeof inputTypes }>): Html => {
  const { name, autocomplete, value = '', isOptional = false } = field;
  const type = inputTypes[autocomplete];
  return labelled(
    field,
    (description) =>
      html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${!isOptional && html` required`}${
        type !== 'password' && html` value="${value}"`
      }${description}>`,
  );
};

/** A labelled choice, described like an input. A value that is no option chooses the first one. */
export const selectField = (
  field: FormField & Readonly<{ options: readonly Readonly<{ value: string; text: string }>[] }>,
): Html =>
  labelled(
    field,
    (description) => html`<select id="${field.name}" name="${field.name}"${description}>
${field.options.map(
  ({ value, text }) =>
    html`<option value="${value}"${value === field.value && html` selected`}>${text}</option>
`,
)}</select>`,
  );

/** A control with its label, its hint and what is wrong with it; `description` refers to the last two. */
const labelled = ({ name, label, hint, problems }: FormField, control: (description: Html) => Html): Html => {
  const problem = problems?.get(name);
  const ids = [
    hint === undefined ? [] : `${name}-hint`,
    problem === undefined ? [] : `${name}-problem`,
  ].flat();
  const description = html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${
    problem !== undefined && html` aria-invalid="true"`
  }`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${control(description)}
${problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`}
</div>`;
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
export type ErrorView = Readonly<{
  status: number;
  /** What happened, in a sentence. */
  message: string | Html;
  /** Seconds after which it may help to try again; null: it does not help. */
  retryAfterSeconds?: number | null;
  /** The page of this server that led here; null: none is known. */
  back?: string | null;
}>;

/** A page that shows an error, and the ways back. */
export const errorPage = (
  context: PageContext,
  { status, message, retryAfterSeconds = null, back = null }: ErrorView,
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
