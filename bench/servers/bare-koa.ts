import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Koa from 'koa';
import { announce } from './announce.js';

/** Koa with a single middleware that sends one prepared string, whatever is requested. */
const body = readFileSync(process.argv[2] ?? '', 'utf8');

const app = new Koa();
app.use((ctx) => {
  ctx.type = 'application/json';
  ctx.body = body;
});
announce(createServer(app.callback()));
