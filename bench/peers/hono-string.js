import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

// Hono on its server for Node, sending one prepared string.
const page = readFileSync(process.argv[2], 'utf8');
const app = new Hono();
app.get('/api/v1/findings', (context) =>
  context.body(page, 200, { 'Content-Type': 'application/json; charset=utf-8' }),
);
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
});
process.once('SIGTERM', () => process.exit());
