import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter();

/**
 * Text that takes at most `columns` columns of a terminal; what is cut off ends in `…`. Characters of East
 * Asia and emojis take two columns, combining marks none, and no character is cut in two.
 */
export const cutToWidth = (text: string, columns: number): string => {
  if (stringWidth(text) <= columns) return text;
  let cut = '';
  let width = 1;
  for (const { segment } of graphemes.segment(text)) {
    width += stringWidth(segment);
    if (width > columns) break;
    cut += segment;
  }
  return columns < 1 ? '' : `${cut}…`;
};
