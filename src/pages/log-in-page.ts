import { alert, field } from './form-parts.js';
import { type Html, html } from './html.js';
import { type Frame, page } from './layout.js';

/** The login form, with what was typed before and why it did not do. */
export const logInPage = (frame: Frame, email: string, message: string | null): Html =>
  page(
    'Log in',
    frame,
    html`${alert(message)}
<form class="card" method="post" action="/login">
${field({ name: 'email', label: 'E-mail', type: 'email', autocomplete: 'username', value: email })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
<button>Log in</button>
</form>
<p>No account yet? <a href="/signup">Sign up</a>: it takes a minute, and starts with demo data.</p>`,
  );
