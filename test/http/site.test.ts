import test from 'ava';
import { areHostsOfOneSite } from '../../src/http/cors.js';

for (const [left, right, isOne] of [
  ['app.example.com', 'api.example.com', true],
  ['example.com', 'api.v1.Example.com.', true],
  ['example.com', 'example.org', false],
  ['a.example.co.uk', 'b.example.co.uk', true],
  ['a.co.uk', 'b.co.uk', false],
  ['app.vercel.app', 'api.vercel.app', false],
  ['a.app.vercel.app', 'b.app.vercel.app', true],
  ['a.up.railway.app', 'b.up.railway.app', false],
  ['localhost', 'localhost', true],
  ['localhost', '127.0.0.1', false],
  ['localhost', 'app.localhost', false],
  ['127.0.0.1', '127.0.0.2', false],
  ['10.0.0.1', '192.0.0.1', false],
  ['[::1]', '[::1]', true],
] as const) {
  test(`${left} and ${right} are ${isOne ? 'one site' : 'two sites'}`, (t) => {
    t.is(areHostsOfOneSite(left, right), isOne);
    t.is(areHostsOfOneSite(right, left), isOne);
  });
}
