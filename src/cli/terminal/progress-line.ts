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

/** A terminal that a line can be drawn on. */
export type Screen = Readonly<{
  write: (text: string) => void;
  /** Its width now. */
  columns: () => number;
}>;

/** A line that replaces itself. */
export type ProgressLine = Readonly<{
  /** Shows a text in place of the previous one. */
  show: (text: string) => void;
  /** Removes the line, so that something else can be written. */
  clear: () => void;
}>;

/** The width of terminals that do not tell theirs. */
const usualColumns = 80;

/** To the beginning of the line, and up by some lines; then everything below is erased. */
const erase = (linesAbove: number): string => `\r${linesAbove > 0 ? `\u001b[${linesAbove}A` : ''}\u001b[J`;

/**
 * A line of a terminal that is shorter than the terminal is wide, so that it never wraps. If the terminal has
 * become narrower since, it has wrapped the line itself, and all parts are erased.
 */
export const progressLine = ({ write, columns }: Screen): ProgressLine => {
  let shown = '';
  const width = (): number => columns() || usualColumns;
  const removal = (): string => {
    if (shown === '') return '';
    return erase(Math.ceil(stringWidth(shown) / width()) - 1);
  };
  return {
    show: (text) => {
      // In the last column, some terminals go on to the next line.
      const next = cutToWidth(text.replaceAll('\n', ' '), width() - 1);
      if (next === shown) return;
      write(`${removal()}${next}`);
      shown = next;
    },
    clear: () => {
      if (shown !== '') write(removal());
      shown = '';
    },
  };
};
