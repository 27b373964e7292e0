import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { type ListName, statementFor } from './hand-written-statements.js';

/**
 * The server that triage-api is compared with: two lists, written by hand for speed. It validates neither
 * requests nor rows, and has no row-level security, no access log, no time limits and no other endpoints.
 * Each request is one prepared statement, which also checks the session and builds the JSON of the items.
 */
const { values } = parseArgs({
  options: { 'database-url': { type: 'string' }, pool: { type: 'string', default: '10' } },
});

/** One plan per statement, kept, that walks indexes: what the planner would find by itself, but at once. */
const settings = [
  'plan_cache_mode=force_generic_plan',
  'enable_seqscan=off',
  'enable_bitmapscan=off',
  'enable_hashjoin=off',
  'enable_mergejoin=off',
  'jit=off',
];

const pool = new pg.Pool({
  connectionString: values['database-url'],
  max: Number(values.pool),
  application_name: 'hand-written',
  options: settings.map((setting) => `-c ${setting}`).join(' '),
});

type Row = Readonly<{ total: string; items: string }>;

const lists: Readonly<Record<string, ListName>> = { '/api/v1/findings': 'findings', '/api/v1/prs': 'prs' };

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const list = lists[path];
  if (list === undefined) return send(response, 404, '{"error":"not found"}');
  const parameters = new URLSearchParams(query);
  const page = Number(parameters.get('page') ?? '1');
  const limit = Number(parameters.get('limit') ?? '25');
  const skip = (page - 1) * limit;
  const session = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
  const hash = createHash('sha256').update(session).digest('hex');
  const { rows } = await pool.query<Row>({
    ...statementFor(list, skip),
    values: skip === 0 ? [hash, limit] : [hash, limit, skip],
  });
  const [row] = rows;
  if (row === undefined) return send(response, 401, '{"error":"Unauthorized"}');
  const pages = Math.ceil(Number(row.total) / limit);
  const totals = `"totalItems":${row.total},"totalPages":${pages}`;
  send(response, 200, `{"items":[${row.items}],"page":${page},"limit":${limit},${totals}}`);
};

const send = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'private, no-cache',
    Vary: 'Cookie, Authorization',
    ETag: `"${createHash('sha256').update(body).digest('base64url')}"`,
  });
  response.end(body);
};

const server = createServer((request, response) => {
  answer(request, response).catch((cause: unknown) =>
    send(response, 500, JSON.stringify({ error: `${cause}` })),
  );
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});

process.once('SIGTERM', () => process.exit());
