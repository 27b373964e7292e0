import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { performancePictures } from '../../bench/picture.js';
import { documentText } from '../_documented.js';

test('the pictures of the page of performance are those of its table', (t) => {
  const { light, dark } = performancePictures(documentText('performance.md'));
  t.is(light.match(/<rect/g)?.length, 8);
  for (const [theme, picture] of Object.entries({ light, dark })) {
    const file = new URL(`../../../docs/images/performance-${theme}.svg`, import.meta.url);
    t.is(readFileSync(fileURLToPath(file), 'utf8'), picture, 'npm run bench -- --picture');
  }
});
