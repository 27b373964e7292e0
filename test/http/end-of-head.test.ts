import test from 'ava';
import { endOfHead } from '../../src/http/end-of-head.js';

for (const [text, start, end] of [
  ['GET / HTTP/1.1\r\nHost: x\r\n\r\nGET', 0, 27],
  ['GET / HTTP/1.1\nHost: x\n\nGET', 0, 24],
  ['a\r\n\r\nb\r\n\r\n', 5, 10],
  // The empty line is split: the first chunk ended before this one.
  ['\nGET', 0, 1],
  ['\r\nGET', 0, 2],
  ['\r\n\r\nGET', 0, 2],
  ['Host: x\r\n', 0, 9],
  ['a\r\nb\r\nc', 0, 7],
  ['', 0, 0],
] as const) {
  test(`the head ends after the first empty line: ${JSON.stringify(text)} from ${start} → ${end}`, (t) => {
    t.is(endOfHead(Buffer.from(text), start), end);
  });
}
