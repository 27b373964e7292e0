import type { DemoAccount, Persona } from '../accounts/demo-rows.js';
import type { ListedToken, MintedToken } from '../accounts/own-account.js';
import { withNoun } from '../common/messages.js';
import { operations } from '../contract/operations.js';
import { commandFor } from './commands.js';
import { emailAddress, type Html, html, shownName } from './html.js';
import { errorAlert, formField, notice, notRefused, type PageContext, page, type Refusal } from './layout.js';
import { copyScriptPath, demoLogInPath, withNext } from './paths.js';

/** What the page of the account shows. */
type AccountView = Readonly<{
  /** Left out: no form was refused, as in the views of other pages. */
  refusal?: Refusal | undefined;
  /** Whether the password has just been changed. */
  isChanged: boolean;
  /** Whether visitors share this account, so that none of them may change it. */
  isShared: boolean;
}>;

/** The settings page on which users change their password and delete their account. */
export const accountPage = (
  context: PageContext,
  { refusal = notRefused, isChanged, isShared }: AccountView,
): Html => {
  const { user } = context;
  return page(
    'Account',
    context,
    html`${notice(isChanged ? 'Your password has been changed. All other sessions have ended.' : null)}
${user !== null && html`<p>This is the account of <bdi>${user.name}</bdi> ${emailAddress(user.email, '(', ').')}</p>`}
${isShared ? sharedNotice('can neither change its password nor delete it') : forms(refusal.problems)}`,
    { section: 'account', refusal: errorAlert(refusal, accountLabels) },
  );
};

const accountLabels = {
  currentPassword: 'Current password',
  newPassword: 'New password',
  password: 'Password',
  confirmed: 'Delete my account and everything in it',
};

const sharedNotice = (restriction: string): Html =>
  html`<p>This is a shared demo account: visitors ${restriction}.
<a href="/signup">Sign up</a> for an account of your own.</p>`;

const forms = (
  problems: Refusal['problems'],
): Html => html`<form class="card" method="post" action="/settings/account/password">
<h2>Change password</h2>
${formField('currentPassword', accountLabels.currentPassword, 'current-password', { problems })}
${formField('newPassword', accountLabels.newPassword, 'new-password', {
  hint: 'At least 10 characters. Several words are easy to remember and hard to guess.',
  problems,
})}
<p class="hint">This ends all your other sessions. API tokens stay valid: revoke those you no longer need
under <a href="/settings/api-tokens">API tokens</a>.</p>
<button>Change password</button>
</form>
<form class="card" method="post" action="/settings/account/delete">
<h2>Delete account</h2>
<p id="delete-hint">This deletes your account with all repositories, findings, pull requests, sessions and API
tokens. It cannot be undone.</p>
${formField('password', accountLabels.password, 'current-password', { problems })}
<p class="choice"><input id="confirmed" name="confirmed" type="checkbox" value="yes" required
 aria-describedby="delete-hint">
<label for="confirmed">${accountLabels.confirmed}</label></p>
<button class="danger">Delete account</button>
</form>`;

/** Whether a token can be used, and if not, why. */
type TokenState = 'active' | 'expired' | 'revoked';

export const tokenState = ({ revokedAt, expiresAt }: ListedToken, now: string): TokenState => {
  if (revokedAt !== null && revokedAt <= now) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
};

/** The tokens of a user, the valid ones first. Roles keep the table one when it looks like cards. */
const tokenTable = (tokens: readonly ListedToken[], now: string, isShared: boolean): Html => {
  const isActive = (token: ListedToken): boolean => tokenState(token, now) === 'active';
  const sorted = [...tokens.filter(isActive), ...tokens.filter((token) => !isActive(token))];
  return html`<table class="tokens" role="table" aria-labelledby="tokens">
<thead role="rowgroup"><tr role="row">${titles.map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">
${sorted.map((token) => row(token, now, isShared))}</tbody>
</table>`;
};

const titles = ['Name', 'Starts with', 'Created', 'Last used', 'Expires', 'Status'];

const row = (token: ListedToken, now: string, isShared: boolean): Html => {
  const state = tokenState(token, now);
  return html`<tr role="row" class="token${state === 'active' ? '' : ' over'}">
<th role="rowheader" scope="row"><bdi>${token.name}</bdi></th>
${cell('Starts with', html`<code>${token.prefix}…</code>`)}
${cell('Created', tokenTime(token.createdAt))}
${cell('Last used', token.lastUsedAt === null ? html`never` : tokenTime(token.lastUsedAt))}
${cell('Expires', token.expiresAt === null ? html`never` : tokenTime(token.expiresAt))}
${cell('Status', status(token, state, isShared))}
</tr>
`;
};

const cell = (name: string, value: Html): Html =>
  html`<td role="cell"><span class="label" aria-hidden="true">${name}</span><span class="value">${value}</span></td>`;

const status = ({ id, name, revokedAt }: ListedToken, state: TokenState, isShared: boolean): Html => {
  if (state === 'revoked' && revokedAt !== null) return html`Revoked ${tokenTime(revokedAt)}`;
  if (state === 'expired') return html`Expired`;
  if (isShared) return html`Active`;
  return html`Active <a class="button danger small" href="/settings/api-tokens?revoke=${encodeURIComponent(id)}" aria-label="Revoke ${name}">Revoke</a>`;
};

/** A timestamp, displayed to the minute in UTC. */
const tokenTime = (timestamp: string): Html =>
  html`<time datetime="${timestamp}">${timestamp.slice(0, 16).replace('T', ' ')} UTC</time>`;

type Minted = Pick<MintedToken, 'name' | 'token'>;

/** What the page of API tokens shows. */
export type ApiTokensView = Readonly<{
  tokens: readonly ListedToken[];
  /** The current time, as a timestamp that is comparable with those of the tokens. */
  now: string;
  /** The token that was just minted; this is the only time it is shown. */
  minted: Minted | null;
  /** What the form sends along to be good for one token; empty: for any. */
  formValue: string;
  /** The name that was entered, if minting failed. */
  name: string;
  refusal?: Refusal | undefined;
  /** Whether the account is shared, so that no visitor may mint or revoke its tokens. */
  isShared: boolean;
  /** Where clients reach this server. */
  api: string;
}>;

/** The settings page on which users mint, list and revoke API tokens. */
export const apiTokensPage = (
  context: PageContext,
  { tokens, now, minted, formValue, name, refusal = notRefused, isShared, api }: ApiTokensView,
): Html =>
  page(
    'API tokens',
    context,
    html`${minted !== null && mintedToken(minted, commandFor(context.mode, `${api}${operations.listPrs.path}`, 'bearer', minted.token))}
${isShared ? sharedNotice('cannot mint or revoke its tokens') : mintForm(name, formValue, refusal.problems)}
<h2 id="tokens">Your tokens</h2>
${tokens.length === 0 ? html`<p>You have no tokens yet.</p>` : tokenTable(tokens, now, isShared)}`,
    {
      section: 'tokens',
      isWide: true,
      refusal: errorAlert(refusal, tokenLabels),
      head: minted !== null && html`<script src="${copyScriptPath}" defer></script>`,
    },
  );

const lifetimes = [
  ['7', 'after 7 days'],
  ['30', 'after 30 days'],
  ['90', 'after 90 days'],
  ['365', 'after a year'],
  ['', 'never'],
] as const;

const tokenLabels = { name: 'Name', expiresInDays: 'Expires' };

const mintForm = (
  value: string,
  formValue: string,
  problems: Refusal['problems'],
): Html => html`<form class="card mint" method="post" action="/settings/api-tokens">
<h2>New token</h2>
<input type="hidden" name="formValue" value="${formValue}">
${formField('name', tokenLabels.name, 'off', { value, hint: 'What you will use the token for.', problems })}
${formField('expiresInDays', tokenLabels.expiresInDays, lifetimes, { value: '90', problems })}
<button>Mint token</button>
</form>`;

const mintedToken = (
  { name, token }: Minted,
  [tool, command]: readonly [string, string],
): Html => html`<section class="card minted" aria-labelledby="minted">
<h2 id="minted">Your new token, “<bdi>${name}</bdi>”</h2>
<p>Copy the token now. It will not be shown again.</p>
<div class="row"><code id="token">${token}</code>
<button type="button" class="quiet" data-copies="token" hidden>Copy</button></div>
<p class="hint" id="copied" role="status"></p>
<p class="hint">Send it as <code>Authorization: Bearer …</code> when you request a single finding or the list of pull
requests, such as with ${tool}:</p>
<div class="row"><code id="use">${command}</code>
<button type="button" class="quiet" data-copies="use" hidden>Copy the command</button></div>
</section>`;

/** Asks whether to revoke an API token, which cannot be undone. */
export const revokePage = (context: PageContext, token: ListedToken): Html =>
  page(
    'Revoke this token?',
    context,
    html`<form class="card" method="post" action="/settings/api-tokens/${encodeURIComponent(token.id)}/revoke">
<h2><bdi>${token.name}</bdi></h2>
<p>It starts with <code>${token.prefix}…</code> and ${
      token.lastUsedAt === null ? 'has never been used' : html`was last used ${tokenTime(token.lastUsedAt)}`
    }.</p>
<p>Programs that use this token get a 401 from then on. This cannot be undone.</p>
<p class="next"><button class="danger">Revoke token</button>
<a class="button quiet" href="/settings/api-tokens">Cancel</a></p>
</form>`,
    { section: 'tokens' },
  );

/** The demo accounts that a page offers. */
export type OfferedAccounts = Readonly<{
  shown: readonly DemoAccount[];
  total: number;
  /** Whether this visitor may log in to them without a password. */
  isOpen: boolean;
  /** Where the login leads; null: to the start page. */
  next: string | null;
  /** The address of the user who is signed in. */
  current: string | null;
}>;

/** The demo accounts: a card for each of the first ones, and how to reach the others. */
export const demoAccountList = (offered: OfferedAccounts): Html | null => {
  const { shown, total, isOpen } = offered;
  if (total === 0) return null;
  const how = isOpen
    ? 'Log in with one click, without a password.'
    : 'Anyone may log in with these passwords.';
  return html`<section class="demo" aria-labelledby="demo-accounts">
<h2 id="demo-accounts">Demo accounts</h2>
<p class="hint">They come with the fixtures. ${how}</p>
<ul class="accounts">
${shown.map((account) => accountCard(account, offered))}</ul>
${total > shown.length && others(offered)}</section>`;
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
<p class="credentials">${emailAddress(email)}${password !== null && html` <span>Password <code>${password}</code></span>`}</p>
${email === offered.current ? html`<p class="state">Signed in now</p>` : offered.isOpen && oneClick(account, offered)}
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
  const left = withNoun(total - shown.length, 'other tenant is served', 'other tenants are served');
  return isOpen
    ? html`<form class="others" method="post" action="${demoLogInPath}">${returnTo(next)}
<p>${left}.</p>
<label for="account">Name, address or user id of one of them</label>
<div class="row"><input id="account" name="account" autocomplete="off" autocapitalize="none" spellcheck="false" required>
<button class="quiet">Log in as this user</button></div>
</form>`
    : html`<p>${left}. <a href="${withNext('/login', next)}">Log in</a> with the address and the password in
the fixture file.</p>`;
};

/** Where a form of a login leads afterwards. */
export const returnTo = (next: string | null): Html | null =>
  next === null ? null : html`<input type="hidden" name="next" value="${next}">`;

/** What the login page shows. */
export type LogInView = Readonly<{
  /** The address from the last attempt. */
  email: string;
  refusal?: Refusal | undefined;
  /** What has been done. */
  done?: string | null;
  /** The path of the page to return to; null: the start page. */
  next?: string | null;
  demoAccounts: OfferedAccounts;
}>;

/** The login form, and the demo accounts. */
export const logInPage = (
  context: PageContext,
  { email, refusal = notRefused, done = null, next = null, demoAccounts }: LogInView,
): Html =>
  page(
    'Log in',
    context,
    html`${notice(done)}
<div class="pair"><div>
<form class="card" method="post" action="/login">
${returnTo(next)}
${formField('email', logInLabels.email, 'username', { value: email, problems: refusal.problems })}
${formField('password', logInLabels.password, 'current-password', { problems: refusal.problems })}
<button>Log in</button>
</form>
<p>No account yet? <a href="${withNext('/signup', next)}">Sign up</a> and start with your own demo data.</p>
</div>
${demoAccountList(demoAccounts)}</div>`,
    { isWide: demoAccounts.total > 0, next, refusal: errorAlert(refusal, logInLabels) },
  );

const logInLabels = { email: 'E-mail', password: 'Password' };

/** What the sign-up page shows. */
type SignUpView = Readonly<{
  /** The values that were entered, by field. */
  entered: (field: string) => string;
  /** The path of the page to return to; null: the start page. */
  next: string | null;
  refusal?: Refusal | undefined;
  /** What visitors may choose; null: nothing. */
  personas: readonly Persona[] | null;
}>;

/** The sign-up form. */
export const signUpPage = (
  context: PageContext,
  { entered, next, refusal = notRefused, personas }: SignUpView,
): Html => {
  const { problems } = refusal;
  return page(
    'Sign up',
    context,
    html`<form class="card" method="post" action="/signup">
${returnTo(next)}
${formField('name', signUpLabels.name, 'name', { value: entered('name'), problems })}
${formField('email', signUpLabels.email, 'username', { value: entered('email'), hint: 'No e-mail is ever sent to this address.', problems })}
${formField('password', signUpLabels.password, 'new-password', {
  hint: 'At least 10 characters. Do not reuse a password from another site.',
  problems,
})}
${
  personas !== null &&
  formField('persona', signUpLabels.persona, [['', 'The usual demo data'], ...personas.map(personaChoice)], {
    hint: 'Your account gets a copy of its own.',
    value: entered('persona'),
    problems,
  })
}
<button>Sign up</button>
</form>
<p>Already have an account? <a href="${withNext('/login', next)}">Log in</a></p>`,
    { next, refusal: errorAlert(refusal, signUpLabels) },
  );
};

const signUpLabels = { name: 'Name', email: 'E-mail', password: 'Password', persona: 'Starting data' };

const personaChoice = ({ name, repos, findings }: Persona): readonly [string, string] => [
  name,
  `${name}: ${withNoun(repos, 'repository', 'repositories')}, ${withNoun(findings, 'finding', 'findings')}`,
];
