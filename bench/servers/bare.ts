import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * Sends the content of a file as one prepared body, whatever is requested: `node:http`, the floor of Node, or
 * Koa with a single middleware, the floor of Koa. Arguments: which of them, the file, the port.
 */
const [, , kind, file = '', port] = process.argv;
const body = readFileSync(file);

const nodeServer = () =>
  createServer((_, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
    });
    response.end(body);
  });

const koaServer = async () => {
  const { default: Koa } = await import('koa');
  const text = body.toString('utf8');
  const app = new Koa();
  app.use((ctx) => {
    ctx.type = 'application/json';
    ctx.body = text;
  });
  return createServer(app.callback());
};

const server = kind === 'koa' ? await koaServer() : nodeServer();
server.listen(Number(port), '127.0.0.1');
