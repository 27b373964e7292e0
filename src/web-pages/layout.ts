import { type Html, html } from './html.js';

/**
 * What every page shows besides its content: the user who is signed in, if any, and the mode of the server.
 */
export type PageContext = Readonly<{
  user: Readonly<{ name: string; email: string }> | null;
  mode: ServerMode;
}>;

/** Where the data comes from. */
export type ServerMode = 'fixtures' | 'database';

/** The path of the one stylesheet. */
export const stylesheetPath = '/assets/style.css';

const modeTexts: Readonly<Record<ServerMode, string>> = {
  fixtures: 'Mock server: everything here is demo data from fixtures',
  database: 'Database: your changes are stored permanently',
};

/** A complete page around its content. `head` is added to the head element. */
export const page = (
  title: string,
  { user, mode }: PageContext,
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
<nav aria-label="Main">${user === null ? signedOutLinks : signedInLinks(user)}</nav>
</header>
<aside class="mode mode-${mode}" aria-label="Data source"><p>${modeTexts[mode]}</p></aside>
<main id="main">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

const signedOutLinks = html`<a href="/login">Log in</a> <a href="/signup">Sign up</a>`;

const signedInLinks = ({
  name,
}: Readonly<{ name: string }>): Html => html`<span class="who"><bdi>${name}</bdi></span>
<a href="/settings/api-tokens">API tokens</a>
<a href="/settings/account">Account</a>
<form method="post" action="/logout"><button class="quiet">Log out</button></form>`;
