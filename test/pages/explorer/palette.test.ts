import { readFileSync } from 'node:fs';
import test from 'ava';

type Triple = readonly [number, number, number];

/** The linear light of a color such as `#154db8`. */
const linear = (color: string): Triple => {
  const channel = (index: number): number => {
    const value = Number.parseInt(color.slice(index, index + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
};

const weigh = ([a, b, c]: Triple, [x, y, z]: Triple): number => a * x + b * y + c * z;

/** Relative luminance, and contrast by WCAG 2. */
const luminance = (color: string): number => weigh([0.2126, 0.7152, 0.0722], linear(color));
const contrast = (left: string, right: string): number => {
  const [darker = 0, lighter = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

type Matrix = readonly [Triple, Triple, Triple];
const grey: Triple = [0.2126, 0.7152, 0.0722];

/** How colors look without one kind of cone (Machado, Oliveira and Fernandes, 2009), and in grey. */
const sights: Readonly<Record<string, Matrix>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
  grey: [grey, grey, grey],
};

/** A color in CIELAB, where distances are about those that people see. */
const lab = (light: Triple): Triple => {
  const root = (value: number): number => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = root(weigh([0.4124, 0.3576, 0.1805], light) / 0.95047);
  const y = root(weigh([0.2126, 0.7152, 0.0722], light));
  const z = root(weigh([0.0193, 0.1192, 0.9505], light) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
};

const seen = (color: string, [r, g, b]: Matrix): Triple => {
  const light = linear(color);
  const within = (value: number): number => Math.min(1, Math.max(0, value));
  return lab([within(weigh(r, light)), within(weigh(g, light)), within(weigh(b, light))]);
};

const distance = (left: Triple, right: Triple): number =>
  Math.hypot(left[0] - right[0], left[1] - right[1], left[2] - right[2]);

const styles = (name: string): string =>
  readFileSync(new URL(`../../../../src/pages/${name}`, import.meta.url), 'utf8');

/** The values of a custom property on light and on dark grounds: what is screened off is dark. */
const valuesOf = (css: string, property: string): readonly string[] =>
  Array.from(css.matchAll(new RegExp(`${property}: (#[0-9a-f]{6});`, 'g')), ([, value = '']) => value);

const grounds = valuesOf(styles('style.css'), '--raised');
const colors = [1, 2, 3, 4].map((number) => valuesOf(styles('explore.css'), `--series-${number}`));

for (const [index, name] of ['light', 'dark'].entries()) {
  const ground = grounds[index] ?? '';
  const series = colors.map((values) => values[index] ?? '');

  test(`${name}: each color has a contrast of 3:1 to the ground`, (t) => {
    for (const color of series) t.true(contrast(color, ground) >= 3, `${color}: ${contrast(color, ground)}`);
  });

  for (const [sight, matrix] of Object.entries(sights)) {
    test(`${name}: the colors are distinct (${sight})`, (t) => {
      // 2 is about what people can just tell apart side by side.
      const least = sight === 'grey' ? 8 : 18;
      for (const [index, left] of series.entries()) {
        for (const right of series.slice(index + 1)) {
          const apart = distance(seen(left, matrix), seen(right, matrix));
          t.true(apart >= least, `${left} and ${right}: ${apart}`);
        }
      }
    });
  }
}

test('paper gets the light colors, whatever the screen has', (t) => {
  for (const css of [styles('style.css'), styles('explore.css')]) {
    const dark = css.indexOf('@media screen and (prefers-color-scheme: dark)');
    t.true(css.indexOf(':root') < dark);
    t.is(css.lastIndexOf('prefers-color-scheme'), css.indexOf('prefers-color-scheme', dark));
  }
});

test('the ground and every series have a color for each scheme', (t) => {
  for (const values of [grounds, ...colors]) t.is(values.length, 2);
});
