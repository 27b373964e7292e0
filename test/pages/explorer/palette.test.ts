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

/** Lightness in CIELAB, from 0 to 100: what colors differ in for everybody, also in grey. */
const lightness = (color: string): number => 116 * Math.cbrt(luminance(color)) - 16;

const styles = (name: string): string =>
  readFileSync(new URL(`../../../../src/pages/${name}`, import.meta.url), 'utf8');

/** The values of a custom property on light and on dark grounds: what is screened off is dark. */
const valuesOf = (css: string, property: string): readonly string[] =>
  Array.from(css.matchAll(new RegExp(`${property}: (#[0-9a-f]{6});`, 'g')), ([, value = '']) => value);

const grounds = valuesOf(styles('style.css'), '--raised');
const colors = [1, 2, 3, 4].map((number) => valuesOf(styles('explore.css'), `--series-${number}`));

for (const [index, name] of ['light', 'dark'].entries()) {
  const ground = grounds[index] ?? '';
  const series = colors.map((values) => values[index] ?? 'no color');

  test(`${name}: each color of charts has a contrast of 3:1 to the ground`, (t) => {
    for (const color of series) t.true(contrast(color, ground) >= 3, `${color}: ${contrast(color, ground)}`);
  });

  test(`${name}: the colors of charts differ by their lightness, also for who sees no colors`, (t) => {
    for (const [index, left] of series.entries())
      for (const right of series.slice(index + 1)) {
        const apart = Math.abs(lightness(left) - lightness(right));
        // 2 is about what people can just tell apart side by side.
        t.true(apart >= 8, `${left} and ${right}: ${apart}`);
      }
  });
}

test('printed pages have the light colors, whatever the screen has', (t) => {
  for (const css of [styles('style.css'), styles('explore.css')]) {
    const dark = css.indexOf('@media screen and (prefers-color-scheme: dark)');
    t.true(css.indexOf(':root') < dark);
    t.is(css.lastIndexOf('prefers-color-scheme'), css.indexOf('prefers-color-scheme', dark));
  }
});
