import test from 'ava';
import fc from 'fast-check';
import * as node from '../../src/common/platform/node.js';
import * as portable from '../../src/common/platform/portable.js';

for (const [message, digest] of [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
] as const) {
  test(`the SHA-256 of the standard's example of ${message.length} bytes`, (t) => {
    for (const { sha256Hex } of [node, portable]) t.is(sha256Hex(message), digest);
  });
}

const text = fc.string({ unit: 'binary', maxLength: 100 });

test('both platforms have the same functions', (t) => {
  t.deepEqual(Object.keys(portable).sort(), Object.keys(node).sort());
});

test('both platforms make the same hashes', (t) => {
  fc.assert(
    fc.property(text, (content) => {
      t.is(portable.sha256Hex(content), node.sha256Hex(content));
      t.is(portable.sha256Base64url(content), node.sha256Base64url(content));
      const bytes = Buffer.from(content);
      t.is(portable.sha256Base64url(bytes), node.sha256Base64url(bytes));
    }),
  );
});

for (const [name, platform] of Object.entries({ node, portable })) {
  test(`${name}: random texts and ids have their form and differ`, (t) => {
    t.regex(platform.randomBase64url(32), /^[\w-]{43}$/);
    t.regex(platform.randomUuid(), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    t.not(platform.randomBase64url(9), platform.randomBase64url(9));
    t.not(platform.randomUuid(), platform.randomUuid());
  });
}
