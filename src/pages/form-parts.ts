import { type Html, html } from './html.js';

/** What went wrong with the last try, said to screen readers at once. */
export const alert = (message: string | null): Html | null =>
  message === null ? null : html`<p class="alert" role="alert">${message}</p>`;

/** A field of a form with its label, a hint, and what was wrong with it. */
export type Field = Readonly<{
  name: string;
  label: string;
  type: 'email' | 'password' | 'text';
  autocomplete: string;
  value?: string;
  hint?: string;
  problem?: string | undefined;
}>;

/** A labelled field; the hint and the problem are tied to it for screen readers. */
export const field = ({ name, label, type, autocomplete, value, hint, problem }: Field): Html => {
  const described = [hint === undefined ? '' : `${name}-hint`, problem === undefined ? '' : `${name}-problem`]
    .filter((id) => id !== '')
    .join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${
    type === 'password' ? null : html` value="${value ?? ''}"`
  }${described === '' ? null : html` aria-describedby="${described}"`}${
    problem === undefined ? null : html` aria-invalid="true"`
  }>
${problem === undefined ? null : html`<p class="problem" id="${name}-problem">${problem}</p>`}
</div>`;
};
