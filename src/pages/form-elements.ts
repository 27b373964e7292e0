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
export const formField = (field: FormField): Html => {
  const { name, type, autocomplete, value } = field;
  return labelled(
    field,
    html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${
      type === 'password' ? null : html` value="${value ?? ''}"`
    }${description(field)}>`,
  );
};

/** A choice with its label. */
export type SelectField = Pick<FormField, 'name' | 'label' | 'hint' | 'problem'> &
  Readonly<{
    options: readonly Readonly<{ value: string; text: string }>[];
    /** The value that is chosen at first; one that is no option chooses the first one. */
    value: string;
  }>;

/** A labelled choice, described like an input. */
export const selectField = (field: SelectField): Html => {
  const { name, options, value } = field;
  return labelled(
    field,
    html`<select id="${name}" name="${name}"${description(field)}>
${options.map(
  (option) =>
    html`<option value="${option.value}"${option.value === value ? html` selected` : null}>${option.text}</option>
`,
)}</select>`,
  );
};

const labelled = (
  { name, label, hint, problem }: Pick<FormField, 'name' | 'label' | 'hint' | 'problem'>,
  control: Html,
): Html =>
  html`<div class="field">
<label for="${name}">${label}</label>
${hint === undefined ? null : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${control}
${problem === undefined ? null : html`<p class="problem" id="${name}-problem">${problem}</p>`}
</div>`;

/** The attributes that connect a control with its hint and its problem. */
const description = ({ name, hint, problem }: Pick<FormField, 'name' | 'hint' | 'problem'>): Html => {
  const ids = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(problem === undefined ? [] : [`${name}-problem`]),
  ];
  return html`${ids.length === 0 ? null : html` aria-describedby="${ids.join(' ')}"`}${
    problem === undefined ? null : html` aria-invalid="true"`
  }`;
};
