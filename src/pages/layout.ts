import { docsPaths } from './docs-paths.js';
import { type Html, html } from './html.js';
import { shownName } from './shown-name.js';

/**
 * What every page shows besides its content: the user who is signed in, if any, and the mode of the server.
 */
export type PageContext = Readonly<{
  user: Readonly<{ name: string; email: string }> | null;
  mode: ServerMode;
  /** Whether there is an explorer to link to. */
  hasExplorer: boolean;
}>;

/** Where the data comes from. */
export type ServerMode = 'fixtures' | 'database';

/** The path of the stylesheet of all pages. */
export const stylesheetPath = '/assets/style.css';

/** The path of the explorer. */
export const explorerPath = '/explore';

/** Where the header leads to, besides the start page. */
export type Section = 'explore' | 'docs' | 'tokens' | 'account';

/** What sets a page apart from others. */
export type PageOptions = Readonly<{
  /** Added to the head element. */
  head?: Html;
  /** The section that the page belongs to; the header marks it. */
  section?: Section;
  /** Navigation within the section, above the heading. */
  above?: Html;
  /** Whether the page takes the width of a large screen, as tables of many columns need it. */
  isWide?: boolean;
  /** Whether the page is wider than text should be: it has cards side by side, or a small table. */
  isMedium?: boolean;
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
  { head, section, above, isWide = false, isMedium = false }: PageOptions = {},
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
<body${isWide ? html` class="wide"` : isMedium ? html` class="medium"` : null}>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="name" href="/">triage-api</a>
<nav aria-label="Main">${mainLinks(context.hasExplorer, section)}</nav>
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

const mainLinks = (hasExplorer: boolean, current: Section | undefined): readonly Html[] => [
  ...(hasExplorer ? [sectionLink('explore', explorerPath, 'Explore', current)] : []),
  sectionLink('docs', docsPaths.page, 'Docs', current),
  sectionLink('tokens', '/settings/api-tokens', 'Tokens', current),
];

const sectionLink = (section: Section, path: string, text: string, current: Section | undefined): Html =>
  html`<a href="${path}"${section === current ? html` aria-current="page"` : null}>${text}</a>
`;

const signedOut = html`<div class="session"><a href="/login">Log in</a> <a href="/signup">Sign up</a></div>`;

const signedIn = (
  user: Readonly<{ name: string; email: string }>,
  current: Section | undefined,
): Html => html`<div class="session"><span class="who"><span class="as">Signed in as</span> <bdi>${shownName(user)}</bdi></span>
${sectionLink('account', '/settings/account', 'Account', current)}<form method="post" action="/logout"><button class="quiet">Log out</button></form></div>`;
