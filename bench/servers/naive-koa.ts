import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Router from '@koa/router';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import Koa from 'koa';
import { FixDraftRecord } from '../../src/api/row-records.js';
import { FindingPage } from '../../src/contract/finding.js';
import { FindingsQuery } from '../../src/contract/operations.js';

/**
 * What one would write first with the same stack: Koa, the router and the codecs. Each request decodes its
 * query and the stored rows of the page, encodes the page with the codec of the response, and turns it into
 * text. Arguments: a file with the page as it is served, the value of the session, the port.
 */
const stored: unknown = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const sessions = new Map([[process.argv[3] ?? '', 'usr_1']]);

const Stored = t.type({ items: t.readonlyArray(t.unknown), totalItems: t.number });
const { items: rows, totalItems } = E.getOrElse<unknown, t.TypeOf<typeof Stored>>(() => {
  throw new Error('the page of the benchmark is invalid');
})(Stored.decode(stored));

const Rows = t.readonlyArray(FixDraftRecord);

const router = new Router();
router.get('/api/v1/findings', (ctx) => {
  const query = FindingsQuery.decode(ctx.query);
  if (E.isLeft(query)) return ctx.throw(400);
  if (!sessions.has(ctx.cookies.get('session') ?? '')) return ctx.throw(401);
  const { page, limit } = query.right;
  const decoded = Rows.decode(rows.slice((page - 1) * limit, page * limit));
  if (E.isLeft(decoded)) return ctx.throw(500);
  const body = { items: decoded.right, page, limit, totalItems, totalPages: Math.ceil(totalItems / limit) };
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(FindingPage.encode(body));
});

const app = new Koa();
app.use(router.routes()).use(router.allowedMethods());
createServer(app.callback()).listen(Number(process.argv[4]), '127.0.0.1');
