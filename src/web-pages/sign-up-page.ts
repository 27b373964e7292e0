import { errorAlert, formField } from './form-elements.js';
import { type Html, html } from './html.js';
import { type PageContext, page } from './layout.js';

/** The values of the sign-up form, except for the password, and what is wrong with them, by field. */
export type SignUpFormState = Readonly<{
  email: string;
  name: string;
  problems: ReadonlyMap<string, string>;
}>;

/** The sign-up form. */
export const signUpPage = (
  context: PageContext,
  { email, name, problems }: SignUpFormState,
  message: string | null,
): Html =>
  page(
    'Sign up',
    context,
    html`${errorAlert(message)}
<form class="card" method="post" action="/signup">
${formField({
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'name',
  value: name,
  problem: problems.get('name'),
})}
${formField({
  name: 'email',
  label: 'E-mail',
  type: 'email',
  autocomplete: 'username',
  value: email,
  hint: 'No e-mail is ever sent to this address.',
  problem: problems.get('email'),
})}
${formField({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters. Do not reuse a password from another site.',
  problem: problems.get('password'),
})}
<button>Sign up</button>
</form>
<p>Already have an account? <a href="/login">Log in</a></p>`,
  );
