import { readFileSync } from 'node:fs';

// Fastify, or Hono on its server for Node, sending one prepared string. Arguments: which of them, the file of the
// string, the port.
const [, , kind, file, port] = process.argv;
const page = readFileSync(file, 'utf8');
const type = 'application/json; charset=utf-8';

if (kind === 'fastify') {
  const { fastify } = await import('fastify');
  const app = fastify();
  app.get('/api/v1/findings', (_, reply) => {
    reply.type(type).send(page);
  });
  await app.listen({ port: Number(port), host: '127.0.0.1' });
} else {
  const { serve } = await import('@hono/node-server');
  const { Hono } = await import('hono');
  const app = new Hono();
  app.get('/api/v1/findings', (context) => context.body(page, 200, { 'Content-Type': type }));
  serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
}
