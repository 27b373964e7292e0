import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ErrorBody } from '../contract/error-bodies.js';
import { responseHeaders } from './operations/headers.js';
import { renderError } from './operations/rendered.js';
import { newRequestId, requestIdHeader } from './operations/request.js';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** How long a client has to read the answer, in milliseconds, before its connection is closed for good. */
const linger = 2000;

const headersOf = (): Readonly<Record<string, string>> => ({
  ...responseHeaders.malformed,
  'Content-Type': 'application/json; charset=utf-8',
  [requestIdHeader]: newRequestId(),
});

/**
 * Answers what never became a request (malformed HTTP, headers too large or too slow) in JSON as well, and
 * closes the connection.
 */
export const answerMalformed = ({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void => {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[code] ?? 400;
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const { bytes, json } = renderError(ErrorBody, reason);
  const headers = { ...headersOf(), Connection: 'close', 'Content-Length': bytes.length };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${json}`);
  // Closed at once, the connection could be reset before the client has read the answer.
  setTimeout(() => socket.destroy(), linger).unref();
};

/** Answers a request with an expectation that the server does not support (RFC 9110, section 10.1.1). */
export const refuseExpectation = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(417, headersOf());
  response.end(renderError(ErrorBody, 'Expectation Failed').json);
};
