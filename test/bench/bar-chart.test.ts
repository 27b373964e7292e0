import test from 'ava';
import { SaxesParser } from 'saxes';
import { type BarChart, barChart, themes } from '../../bench/bar-chart.js';

const chart: BarChart = {
  title: 'Requests <per> second',
  description: 'More & more',
  bars: [
    { label: 'a "fast" one', note: 'sends', value: 20_000, isOurs: true },
    { label: 'a slow one', note: 'thinks', value: 1, isOurs: false },
  ],
};

type Element = Readonly<{ name: string; attributes: Readonly<Record<string, string>>; text: string }>;

/** The elements of an image. Throws if it is not well-formed. */
const elementsOf = (svg: string): readonly Element[] => {
  const found: { name: string; attributes: Record<string, string>; text: string }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes, text: '' }));
  parser.on('text', (text) => {
    const last = found.at(-1);
    if (last !== undefined) last.text += text.trim();
  });
  parser.write(svg).close();
  return found;
};

test('a chart is well-formed, in either theme, and says in words what it shows', (t) => {
  for (const theme of Object.values(themes)) {
    const elements = elementsOf(barChart(chart, theme));
    const textOf = (name: string): string => elements.find((each) => each.name === name)?.text ?? '';
    t.is(textOf('title'), 'Requests <per> second');
    t.is(textOf('desc'), 'More & more a "fast" one (sends): 20,000; a slow one (thinks): 1.');
    t.is(elements[0]?.attributes['aria-labelledby'], 'title description');
  }
});

test('each bar has its number behind it, inside of the image', (t) => {
  const elements = elementsOf(barChart(chart, themes.light));
  const bars = elements.filter(({ attributes }) => attributes.rx === '3');
  t.is(bars.length, 2);
  t.deepEqual(
    bars.map(({ attributes }) => attributes.fill),
    [themes.light.ours, themes.light.bar],
  );
  const [number] = elements.filter(({ text }) => text === '20,000');
  const end = Number(bars[0]?.attributes.x) + Number(bars[0]?.attributes.width);
  t.true(Number(number?.attributes.x) > end);
  t.true(Number(number?.attributes.x) < Number(elements[0]?.attributes.width) - 50);
});

test('a chart refers to nothing outside of it', (t) => {
  const svg = barChart(chart, themes.dark).replace('xmlns="http://www.w3.org/2000/svg"', '');
  t.notRegex(svg, /https?:|href|url\(|<script|@import/);
});

/** The relative luminance of a colour, and the contrast of two, as WCAG 2 defines them. */
const luminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((l, r) => l - r);
  return (light + 0.05) / (dark + 0.05);
};

test('text and bars stand out from the background', (t) => {
  for (const { background, text, muted, bar, ours } of Object.values(themes)) {
    t.true(contrast(text, background) >= 4.5);
    t.true(contrast(muted, background) >= 4.5);
    t.true(contrast(bar, background) >= 3);
    t.true(contrast(ours, background) >= 3);
  }
});
