import { readFileSync } from 'node:fs';
import fastify from 'fastify';

// Fastify that sends one prepared string.
const page = readFileSync(process.argv[2], 'utf8');
const app = fastify();
app.get('/api/v1/findings', (_, reply) => {
  reply.type('application/json; charset=utf-8').send(page);
});
process.stdout.write(`listening on ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
process.once('SIGTERM', () => process.exit());
