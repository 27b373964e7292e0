import type { Persona } from '../accounts/demo-rows.js';
import { errorAlert, formField, selectField } from './form-elements.js';
import { type Html, html } from './html.js';
import { counted } from './in-words.js';
import { type PageContext, page } from './layout.js';

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
  hint: 'At least 10 characters. Do not reuse a password from another site.',
  problem: problems.get('password'),
})}
${
  personas === null
    ? null
    : selectField({
        name: 'persona',
        label: 'Starting data',
        hint: 'Your account gets a copy of its own.',
        value: persona,
        options: [
          { value: '', text: 'The usual demo data' },
          ...personas.map((each) => ({ value: each.name, text: describePersona(each) })),
        ],
        problem: problems.get('persona'),
      })
}
<button>Sign up</button>
</form>
<p>Already have an account? <a href="/login">Log in</a></p>`,
  );

const describePersona = ({ name, repos, findings }: Persona): string =>
  `${name}: ${counted(repos, 'repository', 'repositories')}, ${counted(findings, 'finding', 'findings')}`;
