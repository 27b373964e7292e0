import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { pageSchema } from './page-schema.js';

// Fastify that serialises one page by its schema at each request.
const page = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const app = fastify();
app.get('/api/v1/findings', { schema: { response: { 200: pageSchema } } }, async () => page);
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
process.once('SIGTERM', () => process.exit());
