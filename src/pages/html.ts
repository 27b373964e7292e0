/** Markup that is safe to send: all text in it has been escaped. */
export class Html {
  readonly markup: string;

  private constructor(markup: string) {
    this.markup = markup;
  }

  /**
   * Fills in a template: markup is inserted as it is, text is escaped, lists are joined, null adds nothing.
   */
  static of(strings: TemplateStringsArray, values: readonly Content[]): Html {
    return new Html(strings.reduce((before, part, i) => `${before}${markupOf(values[i - 1])}${part}`));
  }
}

type Content = Html | string | number | null | undefined | readonly Html[];

/** Makes markup from a tagged template. */
export const html = (strings: TemplateStringsArray, ...values: readonly Content[]): Html =>
  Html.of(strings, values);

const markupOf = (content: Content): string => {
  if (content === null || content === undefined) return '';
  if (content instanceof Html) return content.markup;
  if (typeof content === 'object') return content.map(({ markup }) => markup).join('');
  return String(content).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
};
