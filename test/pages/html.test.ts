import test from 'ava';
import fc from 'fast-check';
import { emailAddress, inWords } from '../../src/pages/html.js';

test('the text of any e-mail address is shown unchanged', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (address) => {
      const shown = emailAddress(address)
        .markup.replaceAll(/<\/?(?:span|bdi)[^>]*>/g, '')
        .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
      return shown === address;
    }),
  );
  t.pass();
});

for (const [seconds, words] of [
  [0, '1 second'],
  [1, '1 second'],
  [59.2, '60 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [3600, '60 minutes'],
  [7200, '2 hours'],
  [86_400, '24 hours'],
] as const) {
  test(`${seconds} seconds are ${words}`, (t) => {
    t.is(inWords(seconds), words);
  });
}
