import test from 'ava';
import fc from 'fast-check';
import { withNoun } from '../../src/common/messages.js';
import { emailAddress, inWords } from '../../src/pages/html.js';

test('a short address stays in one piece, a longer one may break after @ and dots only', (t) => {
  t.is(emailAddress('dana@acme.test').markup, '<span class="email"><bdi>dana@acme.test</bdi></span>');
  t.is(
    emailAddress('dana.whitfield.security@acme.example.test', '(', ')').markup,
    '<span class="email">(<bdi><span>dana.</span><span>whitfield.</span><span>security@</span><span>acme.</span><span>example.</span><span>test</span></bdi>)</span>',
  );
});

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

test('a number has its noun', (t) => {
  t.is(withNoun(0, 'finding', 'findings'), '0 findings');
  t.is(withNoun(1, 'finding', 'findings'), '1 finding');
  t.is(withNoun(9988, 'finding', 'findings'), '9,988 findings');
});
