import test from 'ava';
import { compareHeaders } from '../../src/diff/compare-headers.js';

const response = (headers: Readonly<Record<string, string>>) => ({ status: 200, headers, text: '' });

test('a header that only one response has is a difference, unless it depends on the connection or the machine', (t) => {
  t.deepEqual(compareHeaders(response({ date: 'x' }), response({ server: 'y', link: 'z' })), [
    { where: 'link', left: 'absent', right: 'present' },
  ]);
});

test('the values of Content-Type are compared, those of ETag are not', (t) => {
  const left = response({ etag: '"1"', 'content-type': 'application/json; charset=utf-8' });
  const right = response({ etag: '"2"', 'content-type': 'application/json' });
  t.deepEqual(compareHeaders(left, right), [
    { where: 'content-type', left: 'application/json; charset=utf-8', right: 'application/json' },
  ]);
});

test('lists that differ in order and white space only are equal', (t) => {
  t.deepEqual(compareHeaders(response({ allow: 'GET, HEAD' }), response({ allow: 'HEAD,GET' })), []);
});
