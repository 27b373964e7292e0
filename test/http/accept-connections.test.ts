import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { acceptConnections } from '../../src/http/accept-connections.js';
import type { Connection } from '../../src/http/one-request-at-a-time.js';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** What is read at once, and what may wait. */
const maxAhead = 2 * 16 * 1024;

test('however much a client sends, little more is read than what is worked on', async (t) => {
  const count = 20_000;
  const connections = new Map<unknown, Connection>();
  let begun = 0;
  let ahead = 0;
  const server = createServer((incoming, response) => {
    connections.get(incoming.socket)?.begin(incoming, response);
    begun += 1;
    ahead = Math.max(ahead, incoming.socket.bytesRead - begun * request.length);
    response.end('ok');
  });
  acceptConnections(server, (socket, connection) => connections.set(socket, connection));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) return t.fail();

  const client = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true });
  client.resume();
  client.end(request.repeat(count));
  await once(client, 'end');
  client.destroy();
  t.is(begun, count);
  t.true(ahead <= maxAhead, `${ahead} bytes ahead`);
});
