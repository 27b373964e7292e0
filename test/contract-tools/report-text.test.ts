import test from 'ava';
import { secretRedactor } from '../../src/contract-tools/report-text.js';

test('secrets are redacted plain and URL-encoded, and longer ones first', (t) => {
  const redact = secretRedactor(['abcd', 'abcdef', 'a+/=b']);
  t.is(redact('abcdef abcd a%2B%2F%3Db a+/=b'), '[secret] [secret] [secret] [secret]');
});
