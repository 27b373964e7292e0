import { alert, field } from './form-parts.js';
import { type Html, html } from './html.js';
import { type Frame, page } from './layout.js';

/** What was typed into the sign-up form before, and what was wrong with it, by field. */
export type SignUpTry = Readonly<{ email: string; name: string; problems: ReadonlyMap<string, string> }>;

/** The sign-up form. */
export const signUpPage = (
  frame: Frame,
  { email, name, problems }: SignUpTry,
  message: string | null,
): Html =>
  page(
    'Sign up',
    frame,
    html`${alert(message)}
<form class="card" method="post" action="/signup">
${field({ name: 'name', label: 'Name', type: 'text', autocomplete: 'name', value: name, problem: problems.get('name') })}
${field({
  name: 'email',
  label: 'E-mail',
  type: 'email',
  autocomplete: 'username',
  value: email,
  hint: 'Nothing is ever sent to it.',
  problem: problems.get('email'),
})}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters. Do not use one that you use elsewhere.',
  problem: problems.get('password'),
})}
<button>Sign up</button>
</form>
<p>You have an account? <a href="/login">Log in</a>.</p>`,
  );
