/** A sequence of random choices that a seed determines. */
export type Random = Readonly<{
  /** A number from 0 up to 1. */
  next: () => number;
  /** A whole number from 0 up to `end`, which is not included. */
  below: (end: number) => number;
  between: (first: number, last: number) => number;
  chance: (probability: number) => boolean;
  pick: <A>(choices: readonly [A, ...A[]]) => A;
  /** One of a list that may be empty. */
  oneOf: <A>(choices: readonly A[]) => A | undefined;
  text: (alphabet: string, length: number) => string;
}>;

/** Mulberry32: small, fast, and the same on every machine. */
export const randomOf = (seed: number, part = 0): Random => {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(part + 1, 0xc2b2ae35)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    between: (first, last) => first + below(last - first + 1),
    chance: (probability) => next() < probability,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    oneOf: (choices) => choices[below(choices.length)],
    text: (alphabet, length) =>
      Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join(''),
  };
};
