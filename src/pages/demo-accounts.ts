import type { DemoAccount } from '../accounts/demo-rows.js';
import { emailAddress } from './email.js';
import { type Html, html } from './html.js';
import { counted } from './in-words.js';
import { shownName } from './shown-name.js';

/** The path to which the forms of demo accounts post. */
export const demoLogInPath = '/login/demo';

/** The demo accounts that a page offers. */
export type OfferedAccounts = Readonly<{
  shown: readonly DemoAccount[];
  total: number;
  /** Whether this visitor may log in to them without a password. */
  isOpen: boolean;
  /** The path to return to after the login; null: the usual one. */
  next: string | null;
  /** The address of the user who is signed in. */
  current: string | null;
}>;

/** The demo accounts: a card for each of the first ones, and how to reach the others. */
export const demoAccountList = (offered: OfferedAccounts): Html | null => {
  const { shown, total, isOpen } = offered;
  if (total === 0) return null;
  return html`<section class="demo" aria-labelledby="demo-accounts">
<h2 id="demo-accounts">Demo accounts</h2>
<p class="hint">${
    isOpen
      ? 'They come with the fixtures. Log in with one click, without a password.'
      : 'They come with the fixtures. Anyone may log in with these passwords.'
  }</p>
<ul class="accounts">
${shown.map((account) => accountCard(account, offered))}</ul>
${total > shown.length ? others(offered) : null}</section>`;
};

const accountCard = (account: DemoAccount, offered: OfferedAccounts): Html => {
  const { email, password, purpose, repos, findings, openPrs } = account;
  return html`<li class="card account">
<h3><bdi>${shownName(account)}</bdi></h3>
<p class="purpose">${purpose}</p>
<ul class="counts">
${figure(repos, 'repository', 'repositories')}
${figure(findings, 'finding', 'findings')}
${figure(openPrs, 'open pull request', 'open pull requests')}
</ul>
<p class="credentials">${emailAddress(email)}${
    password === null ? null : html` <span>Password <code>${password}</code></span>`
  }</p>
${email === offered.current ? html`<p class="state">Signed in now</p>` : offered.isOpen ? oneClick(account, offered) : null}
</li>
`;
};

const figure = (count: number, one: string, several: string): Html =>
  html`<li><strong>${count.toLocaleString('en')}</strong> ${count === 1 ? one : several}</li>`;

const oneClick = (
  account: DemoAccount,
  { next }: OfferedAccounts,
): Html => html`<form method="post" action="${demoLogInPath}">
<input type="hidden" name="account" value="${account.id}">${returnTo(next)}
<button class="quiet">Log in as <bdi>${shownName(account)}</bdi></button>
</form>`;

const others = ({ shown, total, isOpen, next }: OfferedAccounts): Html => {
  const left = counted(total - shown.length, 'other tenant is served', 'other tenants are served');
  return isOpen
    ? html`<form class="others" method="post" action="${demoLogInPath}">${returnTo(next)}
<p>${left}.</p>
<label for="account">Address or user id of one of them</label>
<div class="row"><input id="account" name="account" autocomplete="off" autocapitalize="none" spellcheck="false" required>
<button class="quiet">Log in as this user</button></div>
</form>`
    : html`<p>${left}. <a href="/login">Log in</a> with the address and the password in the fixture file.</p>`;
};

const returnTo = (next: string | null): Html | null =>
  next === null ? null : html`<input type="hidden" name="next" value="${next}">`;
