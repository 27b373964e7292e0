import { withNoun } from '../common/messages.js';
import type { CredentialKind } from '../contract/operations.js';

/** Markup that is safe to send: all text in it has been escaped. */
export class Html {
  readonly markup: string;

  private constructor(markup: string) {
    this.markup = markup;
  }

  /** Fills in a template: markup stays as it is, text is escaped, lists are joined, the rest adds nothing. */
  static of(strings: TemplateStringsArray, values: readonly Content[]): Html {
    return new Html(strings.reduce((before, part, i) => `${before}${markupOf(values[i - 1])}${part}`));
  }
}

type Content = Html | string | number | null | undefined | false | readonly Html[];

/** Makes markup from a tagged template. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html =>
  Html.of(strings, values);

const markupOf = (content: Content): string => {
  if (content === null || content === undefined || content === false) return '';
  if (content instanceof Html) return content.markup;
  if (typeof content === 'object') return content.map(({ markup }) => markup).join('');
  const text = String(content);
  // Few texts have one, and to look for it is cheaper than to replace none.
  return special.test(text) ? text.replaceAll(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`) : text;
};

const special = /[&<>"']/;

/** A time to wait, in words, rounded up: `1 second`, `45 seconds`, `59 minutes`. */
export const inWords = (seconds: number): string => {
  if (seconds < 120) return withNoun(Math.max(1, Math.ceil(seconds)), 'second', 'seconds');
  return seconds < 7200
    ? withNoun(Math.ceil(seconds / 60), 'minute', 'minutes')
    : withNoun(Math.ceil(seconds / 3600), 'hour', 'hours');
};

/** What pages call the kinds of credentials. */
export const credentialNames: Readonly<Record<CredentialKind, string>> = {
  session: 'session cookie',
  bearer: 'bearer token',
};

/** A character that is visible by itself, as a name needs one at the sign-up. */
const visible = /[^\p{C}\p{Z}\p{M}]/u;

/** What a page calls a user: the name or, if it would show nothing, the address. */
export const shownName = ({ name, email }: Readonly<{ name: string; email: string }>): string =>
  visible.test(name) ? name : email;

/** A text as an option of a choice, which cannot be wrapped. */
export const optionText = (name: string): string => {
  const characters = Array.from(name.slice(0, 200));
  return characters.length > 40 ? `${characters.slice(0, 40).join('')}…` : characters.join('');
};

/** An address as long as this fits into a line of the narrowest screen. */
const shortLength = 24;

/**
 * An e-mail address. A long one may break after `@` and dots, and inside of a word only if the word alone is
 * longer than a line. `before` and `after` are signs that stay beside it.
 */
export const emailAddress = (address: string, before = '', after = ''): Html => {
  const parts = address.split(/(?<=[@.])/).map((part) => html`<span>${part}</span>`);
  return html`<span class="email">${before}<bdi>${address.length <= shortLength ? address : parts}</bdi>${after}</span>`;
};
