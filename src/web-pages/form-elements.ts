import { type Html, html } from './html.js';

/** An error message, which screen readers announce at once; nothing if there is none. */
export const errorAlert = (message: string | null): Html | null =>
  message === null ? null : html`<p class="alert" role="alert">${message}</p>`;

/** What has been done, which screen readers announce; nothing if there is none. */
export const notice = (message: string | null): Html | null =>
  message === null ? null : html`<p class="notice" role="status">${message}</p>`;

/** An input with its label, and perhaps a hint and what is wrong with its value. */
export type FormField = Readonly<{
  name: string;
  label: string;
  type: 'email' | 'password' | 'text';
  autocomplete: string;
  value?: string;
  hint?: string;
  problem?: string | undefined;
}>;

/** A labelled input. `aria-describedby` refers to its hint and its problem. */
export const formField = ({ name, label, type, autocomplete, value, hint, problem }: FormField): Html => {
  const describedBy = [
    hint === undefined ? '' : `${name}-hint`,
    problem === undefined ? '' : `${name}-problem`,
  ]
    .filter((id) => id !== '')
    .join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${
    type === 'password' ? null : html` value="${value ?? ''}"`
  }${describedBy === '' ? null : html` aria-describedby="${describedBy}"`}${
    problem === undefined ? null : html` aria-invalid="true"`
  }>
${problem === undefined ? null : html`<p class="problem" id="${name}-problem">${problem}</p>`}
</div>`;
};
