import { emailAddress } from './email.js';
import { errorAlert, formField, notice } from './form-elements.js';
import { type Html, html } from './html.js';
import { type PageContext, page } from './layout.js';

/** What the page of the account shows. */
export type AccountView = Readonly<{
  /** What to enter instead, by field. */
  problems: ReadonlyMap<string, string>;
  message: string | null;
  /** Whether the password has just been changed. */
  isChanged: boolean;
  /** Whether visitors share this account, so that none of them may change it. */
  isShared: boolean;
}>;

/** The settings page on which users change their password and delete their account. */
export const accountPage = (
  context: PageContext,
  { problems, message, isChanged, isShared }: AccountView,
): Html =>
  page(
    'Account',
    context,
    html`${errorAlert(message)}
${notice(isChanged ? 'Your password has been changed. All other sessions have ended.' : null)}
${whoseAccount(context)}
${isShared ? sharedNotice : forms(problems)}`,
    { section: 'account' },
  );

const whoseAccount = ({ user }: PageContext): Html | null =>
  user === null
    ? null
    : html`<p>This is the account of <bdi>${user.name}</bdi> ${emailAddress(user.email, '(', ').')}</p>`;

const sharedNotice = html`<p>This is a shared demo account: visitors can neither change its password nor delete it.
<a href="/signup">Sign up</a> for an account of your own.</p>`;

const forms = (
  problems: AccountView['problems'],
): Html => html`<form class="card" method="post" action="/settings/account/password">
<h2>Change password</h2>
${formField({
  name: 'currentPassword',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
  problem: problems.get('currentPassword'),
})}
${formField({
  name: 'newPassword',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters. Several words are easy to remember and hard to guess.',
  problem: problems.get('newPassword'),
})}
<p class="hint">This ends all your other sessions. API tokens stay valid: revoke those you no longer need
under <a href="/settings/api-tokens">API tokens</a>.</p>
<button>Change password</button>
</form>
<form class="card" method="post" action="/settings/account/delete">
<h2>Delete account</h2>
<p id="delete-hint">This deletes your account with all repositories, findings, pull requests, sessions and API
tokens. It cannot be undone.</p>
${formField({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  problem: problems.get('password'),
})}
<p class="choice"><input id="confirmed" name="confirmed" type="checkbox" value="yes" required
 aria-describedby="delete-hint">
<label for="confirmed">Delete my account and everything in it</label></p>
<button class="danger">Delete account</button>
</form>`;
