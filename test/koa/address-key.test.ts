import test from 'ava';
import { addressKey } from '../../src/koa/guard.js';

for (const [address, key] of [
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::1'],
] as const) {
  test(`the address ${address} counts as ${key}`, (t) => t.is(addressKey(address), key));
}

test('an address belongs to an IPv6 network of any width', (t) => {
  t.is(addressKey('2001:db8:1:2::1', 48), '2001:db8:1::/48');
  t.is(addressKey('::ffff:192.0.2.1', 48), '192.0.2.1');
});

test('what is no address in its usual notation has no key', (t) => {
  const garbage =
    'unknown _hidden 1 0x7f.1 010.0.0.1 192.0.2.256 192.0.2 2001:db8::1::2 2001:db8:1:2::1/64 [192.0.2.1 \u0661.2.3.4';
  for (const text of ['', 'x'.repeat(10_000), ...garbage.split(' ')]) t.is(addressKey(text), null, text);
});
