/** The values at the lines of a scale from 0, in steps of 1, 2 or 5 times a power of ten. */
export const ticks = (max: number, lines = 4): readonly number[] => {
  const step = niceStep(Math.max(max, 1) / lines);
  const count = Math.ceil(Math.max(max, 1) / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
};

/** Counts are whole numbers, so a step is one too. */
const niceStep = (least: number): number => {
  if (least <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10;
  return factor * power;
};

/** A share as a percentage for an attribute of SVG, rounded so that markup stays short and repeatable. */
export const percent = (part: number, whole: number): string =>
  `${whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100}%`;
