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

test('both platforms make the same hashes and count the same bytes', (t) => {
  fc.assert(
    fc.property(text, (content) => {
      t.is(portable.sha256Hex(content), node.sha256Hex(content));
      t.is(portable.sha256Base64url(content), node.sha256Base64url(content));
      const bytes = Buffer.from(content);
      t.is(portable.sha256Base64url(bytes), node.sha256Base64url(bytes));
      t.is(portable.byteLength(content), node.byteLength(content));
    }),
  );
});

test('both platforms write and read the same texts, lone surrogates included', (t) => {
  const loose = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(fc.oneof(text, loose), fc.nat({ max: 20 }), (content, at) => {
      const [left, right] = [node.newBytes(500), portable.newBytes(500)];
      const written = node.writeUtf8(left, content, at);
      t.is(portable.writeUtf8(right, content, at), written);
      const [first, second] = [left, right].map((bytes) =>
        Buffer.from(bytes.subarray(at, at + written)).toString('hex'),
      );
      t.is(second, first);
      const read = node.utf8Text(left, at, at + written);
      t.is(portable.utf8Text(left, at, at + written), read);
      t.is(portable.utf8Text(right, at, at + written), read);
      t.is(node.utf8Text(right, at, at + written), read);
    }),
  );
});

test('both platforms read ASCII', (t) => {
  const bytes = Buffer.from('{"id":"a-1"}');
  for (const { asciiText } of [node, portable]) t.is(asciiText(bytes, 1, 5), '"id"');
});

for (const [name, platform] of Object.entries({ node, portable })) {
  test(`${name}: random texts and ids have their form and differ`, (t) => {
    t.regex(platform.randomBase64url(32), /^[\w-]{43}$/);
    t.regex(platform.randomUuid(), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    t.not(platform.randomBase64url(9), platform.randomBase64url(9));
    t.not(platform.randomUuid(), platform.randomUuid());
  });

  test(`${name}: timers`, async (t) => {
    platform.runLater(0, () => t.fail('it was cancelled'))();
    await new Promise<void>((resolve) => {
      const keepAlive = setInterval(() => {}, 1000);
      platform.runLater(1, () => {
        clearInterval(keepAlive);
        resolve();
      });
    });
    t.pass();
  });
}
