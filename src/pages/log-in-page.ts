import { demoAccountList, type OfferedAccounts } from './demo-accounts.js';
import { errorAlert, formField, notice } from './form-elements.js';
import { type Html, html } from './html.js';
import { type PageContext, page } from './layout.js';

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
${next === null ? null : html`<input type="hidden" name="next" value="${next}">`}
${formField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', value: email })}
${formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button>Log in</button>
</form>
<p>No account yet? <a href="/signup">Sign up</a> and start with your own demo data.</p>
</div>
${demoAccountList(demoAccounts)}</div>`,
    { isMedium: demoAccounts.total > 0 },
  );
