import { errorAlert, formField } from './form-elements.js';
import { type Html, html } from './html.js';
import { type PageContext, page } from './layout.js';

/** The login form, with the address from the last attempt and why it failed. */
export const logInPage = (context: PageContext, email: string, message: string | null): Html =>
  page(
    'Log in',
    context,
    html`${errorAlert(message)}
<form class="card" method="post" action="/login">
${formField({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', value: email })}
${formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button>Log in</button>
</form>
<p>No account yet? <a href="/signup">Sign up</a> and start with your own demo data.</p>`,
  );
