import test from 'ava';
import { compareHeaders } from '../../../src/contract-tools/diff/compare-responses.js';

const response = (headers: Readonly<Record<string, string>>) => ({ status: 200, headers, text: '' });
const compare = (
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
  allHeaders = false,
) => compareHeaders(response(left), response(right), allHeaders);

const ofTheDeployment = {
  date: 'Fri, 20 Nov 2026 12:00:00 GMT',
  server: 'nginx',
  via: '1.1 proxy',
  connection: 'close',
  'transfer-encoding': 'chunked',
  'strict-transport-security': 'max-age=1',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': '',
  'cross-origin-resource-policy': 'same-origin',
  'x-request-id': '1',
  'cf-ray': '1',
  'x-amz-cf-id': '1',
};

test('headers of security, the server, the date and the connection are compared only on request', (t) => {
  t.deepEqual(compare(ofTheDeployment, {}), []);
  const names = compare(ofTheDeployment, {}, true).map(({ where }) => where);
  t.deepEqual(names, Object.keys(ofTheDeployment).sort());
});

test('with all headers, values that stay the same are compared, and those of each response are not', (t) => {
  t.deepEqual(
    compare({ server: 'a', date: '1', 'cf-ray': '1' }, { server: 'b', date: '2', 'cf-ray': '2' }, true),
    [{ where: 'server', left: 'a', right: 'b' }],
  );
});

test('a header of the API that only one response has is a difference', (t) => {
  for (const name of ['link', 'etag', 'x-triage-warning', 'retry-after', 'cache-control']) {
    const [difference, ...others] = compare({}, { [name]: 'z' });
    t.like(difference, { where: name, left: 'absent' });
    t.deepEqual(others, []);
  }
});

test('the values of Content-Type are compared, those of ETag are not', (t) => {
  const left = { etag: '"1"', 'content-type': 'application/json; charset=utf-8' };
  const right = { etag: '"2"', 'content-type': 'application/json' };
  t.deepEqual(compare(left, right), [
    { where: 'content-type', left: 'application/json; charset=utf-8', right: 'application/json' },
  ]);
});

test('lists that differ in order and white space only are equal', (t) => {
  t.deepEqual(compare({ allow: 'GET, HEAD' }, { allow: 'HEAD,GET' }), []);
});
