/** Two 32-bit hashes of a text. They are spread well, but anybody can find two texts that have the same. */
const hashes = (text: string): readonly [number, number] => {
  let [left, right] = [0x9e3779b9, 0x85ebca6b];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    left = Math.imul(left ^ unit, 0x9e3779b1);
    right = Math.imul(right ^ unit, 0x5f356495);
  }
  const mixed = mix(left ^ (right >>> 15));
  return [mixed, mix(right ^ mixed)];
};

const mix = (value: number): number => {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
};

/** 16 hexadecimal digits that follow from the text alone, on every platform. Not for secrets. */
export const digest = (text: string): string =>
  hashes(text)
    .map((hash) => hash.toString(16).padStart(8, '0'))
    .join('');

/** A number from 0 up to 1 (not included) for each label: always the same for the same seed and label. */
export type Chance = (label: string) => number;

/** What looks random about a row follows from its seed, so that it is the same after every start. */
export const chanceOf =
  (seed: string): Chance =>
  (label) => {
    const [left, right] = hashes(`${label}\n${seed}`);
    return left / 2 ** 32 + (right >>> 11) / 2 ** 53;
  };

/** The item at a fraction of a list; undefined only if the list is empty. */
export const pick = <A>(items: readonly A[], fraction: number): A | undefined =>
  items[Math.floor(fraction * items.length)];

/** An integer between two others, both included. */
export const integerBetween = (least: number, greatest: number, fraction: number): number =>
  least + Math.floor(fraction * (greatest - least + 1));
