import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { announce } from './announce.js';

/** `node:http` that sends one prepared Buffer, whatever is requested: the floor of Node. */
const body = readFileSync(process.argv[2] ?? '');

announce(
  createServer((_, response) => {
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
    });
    response.end(body);
  }),
);
