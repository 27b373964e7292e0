import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import fc from 'fast-check';
import Koa from 'koa';
import { readCredentials } from '../../src/api/credentials.js';
import { sessionCookieName } from '../../src/contract/operations.js';
import { runs } from '../_runs.js';

const app = new Koa();

/** What Koa reads from the same header. */
const asKoaReads = (cookie: string): string | null => {
  const request = new IncomingMessage(new Socket());
  request.headers.cookie = cookie;
  return app.createContext(request, new ServerResponse(request)).cookies.get(sessionCookieName) ?? null;
};

const read = (cookie: string): string | null => readCredentials({ cookie }, ['session']).sessionValue;

test('the session cookie is found where Koa finds it, and nowhere else', (t) => {
  const separators = ['=', ';', ' ', '"', '\t'] as const;
  const piece = fc.constantFrom(sessionCookieName, `x${sessionCookieName}`, 'a', 'b=c', ...separators);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const cookie = pieces.join('');
      t.is(read(cookie), asKoaReads(cookie), JSON.stringify(cookie));
    }),
    runs(),
  );
});

test('a credential that the operation does not accept is not read', (t) => {
  const headers = { cookie: `${sessionCookieName}=a`, authorization: 'Bearer b' };
  t.deepEqual(readCredentials(headers, ['session']), { sessionValue: 'a', bearerToken: null });
  t.deepEqual(readCredentials(headers, ['bearer']), { sessionValue: null, bearerToken: 'b' });
  t.deepEqual(readCredentials({}, ['session', 'bearer']), { sessionValue: null, bearerToken: null });
});
