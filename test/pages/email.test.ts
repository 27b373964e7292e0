import test from 'ava';
import fc from 'fast-check';
import { emailAddress } from '../../src/pages/email.js';

test('a short address stays in one piece, a longer one may break after @ and dots only', (t) => {
  t.is(emailAddress('dana@acme.test').markup, '<span class="email"><bdi>dana@acme.test</bdi></span>');
  t.is(
    emailAddress('dana.whitfield.security@acme.example.test', '(', ')').markup,
    '<span class="email">(<bdi><span>dana.</span><span>whitfield.</span><span>security@</span><span>acme.</span><span>example.</span><span>test</span></bdi>)</span>',
  );
});

test('any text is shown as it is', (t) => {
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
