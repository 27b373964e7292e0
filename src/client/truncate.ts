/** How much of a value reports show, in characters. */
const longest = 200;

/** Text as reports show it: cut where it is long. Secrets must be out of it before, since half of one would not be found. */
export const truncate = (text: string): string => {
  const characters = Array.from(text);
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text;
};
