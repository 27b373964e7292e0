import test from 'ava';
import { headerOf, type RawResponse, responseReader } from './_response-reader.js';

/** What is read from bytes that come in pieces of a size; `methods` are those of the requests. */
const read = (bytes: string, size: number, methods: readonly string[] = []) => {
  const responses: RawResponse[] = [];
  const problems: string[] = [];
  const reader = responseReader(
    () => methods[responses.length] === 'HEAD',
    (response) => responses.push(response),
    (problem) => problems.push(problem),
  );
  const buffer = Buffer.from(bytes);
  for (let at = 0; at < buffer.length; at += size) reader.push(buffer.subarray(at, at + size));
  reader.end();
  return { bodies: responses.map(({ status, body }) => `${status} ${body}`), problems, responses };
};

const plain = (body: string) =>
  `HTTP/1.1 200 OK\r\nETag: "a"\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chunked =
  'HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n';

test('responses are told apart, however the bytes are cut', (t) => {
  const bytes = `${plain('one')}${chunked}HTTP/1.1 304 Not Modified\r\nETag: "b"\r\n\r\n${plain('')}HTTP/1.1 100 Continue\r\n\r\n${plain('two')}`;
  for (const size of [1, 2, 3, 7, 50, 1000]) {
    const { bodies, problems } = read(bytes, size);
    t.deepEqual(bodies, ['200 one', '404 abc0123456789', '304 ', '200 ', '200 two'], `pieces of ${size}`);
    t.deepEqual(problems, []);
  }
});

test('what follows a refused HEAD, after which the connection ends, is not read', (t) => {
  const refused = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 5\r\n\r\n';
  const { bodies, problems } = read(`${refused}wrong`, 9, ['HEAD']);
  t.deepEqual([bodies, problems], [['400 '], []]);
});

test('a response to HEAD has no body, whatever its length says', (t) => {
  const { bodies } = read(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n${plain('next')}`, 9, ['HEAD', 'GET']);
  t.deepEqual(bodies, ['200 ', '200 next']);
});

test('a response without a length ends with the connection', (t) => {
  t.deepEqual(read('HTTP/1.1 200 OK\r\n\r\nall of it', 4).bodies, ['200 all of it']);
});

test('what is put into the body of another response is noticed', (t) => {
  const broken = `HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabHTTP/1.1 100 Continue\r\n\r\ncdef`;
  t.regex(read(`${broken}${plain('next')}`, 1000).problems.join(), /no status line/);
});

test('ambiguous and unfinished responses are problems', (t) => {
  for (const bytes of [
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf',
    'HTTP/1.1 200',
  ]) {
    t.is(read(bytes, 1000).problems.length, 1, bytes);
  }
});

test('a header is found whatever its case', (t) => {
  const [response] = read(plain('x'), 100).responses;
  t.is(response === undefined ? undefined : headerOf(response, 'etag'), '"a"');
});
