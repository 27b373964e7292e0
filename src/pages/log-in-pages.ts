import type { DemoAccount, Persona } from '../accounts/demo-rows.js';
import { counted, emailAddress, type Html, html, shownName } from './html.js';
import { errorAlert, formField, notice, type PageContext, page, selectField } from './layout.js';
import { demoLogInPath } from './paths.js';

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

/** What the login page shows. */
export type LogInView = Readonly<{
  /** The address from the last attempt. */
  email: string;
  /** Why the last attempt failed. */
  message: string | null;
  /** What has been done. */
  done?: string | null;
  /** The path of the page to return to; null: the start page. */
  next?: string | null;
  demoAccounts: OfferedAccounts;
}>;

/** The login form, and the demo accounts. */
export const logInPage = (
  context: PageContext,
  { email, message, done = null, next = null, demoAccounts }: LogInView,
): Html =>
  page(
    'Log in',
    context,
    html`${errorAlert(message)}
${notice(done)}
<div class="pair"><div>
<form class="card" method="post" action="/login">
${returnTo(next)}
${formField({ name: 'email', label: 'E-mail', autocomplete: 'username', value: email })}
${formField({ name: 'password', label: 'Password', autocomplete: 'current-password' })}
<button>Log in</button>
</form>
<p>No account yet? <a href="/signup">Sign up</a> and start with your own demo data.</p>
</div>
${demoAccountList(demoAccounts)}</div>`,
    { width: demoAccounts.total > 0 ? 'medium' : undefined },
  );

/** The values of the sign-up form, except for the password, and what is wrong with them, by field. */
export type SignUpFormState = Readonly<{
  email: string;
  name: string;
  /** The name of the persona that was chosen; empty: none was. */
  persona: string;
  problems: ReadonlyMap<string, string>;
}>;

/** The sign-up form. `personas`: what visitors may choose; null: nothing. */
export const signUpPage = (
  context: PageContext,
  { email, name, persona, problems }: SignUpFormState,
  message: string | null,
  personas: readonly Persona[] | null,
): Html =>
  page(
    'Sign up',
    context,
    html`${errorAlert(message)}
<form class="card" method="post" action="/signup">
${formField({
  name: 'name',
  label: 'Name',
  autocomplete: 'name',
  value: name,
  problems,
})}
${formField({
  name: 'email',
  label: 'E-mail',
  autocomplete: 'username',
  value: email,
  hint: 'No e-mail is ever sent to this address.',
  problems,
})}
${formField({
  name: 'password',
  label: 'Password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters. Do not reuse a password from another site.',
  problems,
})}
${
  personas !== null &&
  selectField({
    name: 'persona',
    label: 'Starting data',
    hint: 'Your account gets a copy of its own.',
    value: persona,
    options: [
      { value: '', text: 'The usual demo data' },
      ...personas.map((each) => ({ value: each.name, text: describePersona(each) })),
    ],
    problems,
  })
}
<button>Sign up</button>
</form>
<p>Already have an account? <a href="/login">Log in</a></p>`,
  );

const describePersona = ({ name, repos, findings }: Persona): string =>
  `${name}: ${counted(repos, 'repository', 'repositories')}, ${counted(findings, 'finding', 'findings')}`;
