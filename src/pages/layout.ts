import { type Html, html } from './html.js';

/** What every page shows: who is signed in, if anybody, and whose data this is. */
export type Frame = Readonly<{
  user: Readonly<{ name: string; email: string }> | null;
  mode: Mode;
}>;

/** Where the data comes from. */
export type Mode = 'fixtures' | 'database';

/** The path of the one stylesheet. */
export const stylesheetPath = '/assets/style.css';

const modes: Readonly<Record<Mode, string>> = {
  fixtures: 'Mock: everything here is demo data from fixtures',
  database: 'Database: everything here is kept for good',
};

/** A whole page around its content; `head` is what its head has besides. */
export const page = (
  title: string,
  { user, mode }: Frame,
  content: Html,
  head: Html | null = null,
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
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
<a class="name" href="/">triage-api</a>
<nav aria-label="Main">${user === null ? strangerLinks : userLinks(user)}</nav>
</header>
<aside class="mode mode-${mode}" aria-label="Where the data comes from"><p>${modes[mode]}</p></aside>
<main id="main">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

const strangerLinks = html`<a href="/login">Log in</a> <a href="/signup">Sign up</a>`;

const userLinks = ({ name }: Readonly<{ name: string }>): Html => html`<span class="who">${name}</span>
<a href="/settings/api-tokens">API tokens</a>
<form method="post" action="/logout"><button class="quiet">Log out</button></form>`;
