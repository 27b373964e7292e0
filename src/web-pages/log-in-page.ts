import { errorAlert, formField, notice } from './form-elements.js';
import { type Html, html } from './html.js';
import { type PageContext, page } from './layout.js';

/** The login form, with the address from the last attempt and why it failed, or with what has been done. */
export const logInPage = (
  context: PageContext,
  email: string,
  message: string | null,
  done: string | null = null,
): Html =>
  page(
    'Log in',
    context,
    html`${errorAlert(message)}
${notice(done)}
<form class="card" method="post" action="/login">
${formField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', value: email })}
${formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button>Log in</button>
</form>
<p>No account yet? <a href="/signup">Sign up</a> and start with your own demo data.</p>`,
  );
