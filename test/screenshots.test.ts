import { readFile } from 'node:fs/promises';
import test from 'ava';
import { screenshotSize, screenshots } from './browser/_screenshots.js';

/** The most that a screenshot may weigh, in bytes: it is loaded with the page that shows it. */
const maxBytes = 150_000;

for (const { colorScheme, file } of screenshots) {
  test(`the screenshot in ${colorScheme} is a small PNG of the expected size`, async (t) => {
    const image = await readFile(file);
    t.is(image.toString('latin1', 0, 16), '\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
    t.deepEqual({ width: image.readUInt32BE(16), height: image.readUInt32BE(20) }, screenshotSize);
    t.true(image.length <= maxBytes, `${image.length} bytes`);
  });
}

test('the documents show the screenshots', async (t) => {
  const page = await readFile(new URL('../../docs/explore.md', import.meta.url), 'utf8');
  for (const { colorScheme } of screenshots) t.true(page.includes(`"./images/explorer-${colorScheme}.png"`));
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const named = [...`${readme}\n${page}`.matchAll(/"(?:docs\/|\.\/)images\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  for (const name of named) {
    await t.notThrowsAsync(readFile(new URL(`../../docs/images/${name}`, import.meta.url)), name);
  }
});
