import test from 'ava';
import {
  baseUrl,
  formatListenError,
  isExposed,
  localUrl,
  otherLocalUrl,
} from '../../../src/cli/serve/start-messages.js';

test('base URLs of names, addresses and wildcards', (t) => {
  t.is(baseUrl({ host: '127.0.0.1', port: 80 }), 'http://127.0.0.1:80');
  t.is(baseUrl({ host: '::', port: 4000 }), 'http://[::]:4000');
  t.is(localUrl({ host: '::', port: 4000 }), 'http://[::1]:4000');
  t.is(localUrl({ host: '0.0.0.0', port: 4000 }), 'http://127.0.0.1:4000');
  t.is(localUrl({ host: 'example.test', port: 4000 }), 'http://example.test:4000');
});

const alone = { host: '127.0.0.1', trustProxy: false, allowedHosts: [] };

test('every host but loopback is exposed', (t) => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1'])
    t.false(isExposed({ ...alone, host }), host);
  for (const host of ['0.0.0.0', '::', '192.0.2.1', '127.evil.test', '10.127.0.1', 'box.test'])
    t.true(isExposed({ ...alone, host }), host);
});

test('a server on loopback is exposed behind a proxy, and under a name that others use', (t) => {
  t.true(isExposed({ ...alone, trustProxy: true }));
  t.true(isExposed({ ...alone, allowedHosts: ['demo.test'] }));
});

test('each reason why a server cannot listen has a message', (t) => {
  const because = (code: string) =>
    formatListenError(Object.assign(new Error('bind failed'), { code }), 'h', 80);
  t.regex(because('EADDRINUSE'), /^port 80 on h is in use/);
  t.regex(because('EACCES'), /^this user is not allowed to listen on port 80 of h/);
  t.regex(because('ENOTFOUND'), /^h is not an address of this machine/);
  t.is(because('EMFILE'), 'cannot listen on h, port 80: bind failed');
});

test('the other name of this machine', (t) => {
  t.is(otherLocalUrl({ host: '127.0.0.1', port: 80 }), 'http://localhost:80');
  t.is(otherLocalUrl({ host: '0.0.0.0', port: 80 }), 'http://localhost:80');
  t.is(otherLocalUrl({ host: 'localhost', port: 80 }), 'http://127.0.0.1:80');
  t.is(otherLocalUrl({ host: '192.0.2.1', port: 80 }), null);
});
