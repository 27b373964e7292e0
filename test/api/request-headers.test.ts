import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import test from 'ava';
import fc from 'fast-check';
import Koa from 'koa';
import { readCredentials } from '../../src/api/credentials.js';
import { traceContext } from '../../src/api/request.js';
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

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

const ids = `${traceId}-${parentId}`;

test('a valid traceparent names the trace and the parent, also one of a later version', (t) => {
  for (const header of [
    `00-${ids}-01`,
    `00-${ids}-00`,
    `cc-${ids}-01`,
    `cc-${ids}-01-what-the-future-will-be`,
  ])
    t.deepEqual(traceContext(header), { traceId, parentId }, header);
});

test('an invalid traceparent names none', (t) => {
  for (const header of [
    ...[undefined, '', `ff-${ids}-01`, `00-${ids}-01-more`, `00-${ids}-01.`, `cc-${ids}-01.more`],
    ...[`00-${ids}`, `0-${ids}-01`, ` 00-${ids}-01`, `00-${ids.slice(1)}-01`],
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
  ])
    t.is(traceContext(header), null, header);
});
