import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ErrorBody } from '../contract/error-bodies.js';
import { renderError } from './operations/rendered.js';
import { newRequestId, requestIdHeader } from './operations/request-id.js';
import { usualSecurityHeaders } from './operations/security-headers.js';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** How long a client has to read the answer, in milliseconds, before its connection is closed for good. */
const linger = 2000;

const json = 'application/json; charset=utf-8';

/**
 * Answers what never became a request (malformed HTTP, headers too large or too slow) in JSON as well, and
 * closes the connection.
 */
export const answerMalformed = (): ((
  error: NodeJS.ErrnoException,
  socket: Duplex,
  isAnswering: boolean,
) => void) => {
  const headers = Object.entries({
    ...usualSecurityHeaders,
    'Cache-Control': 'no-store',
    'Content-Type': json,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error, socket, isAnswering) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
      socket.destroy();
      return;
    }
    const status = statuses[error.code ?? ''] ?? 400;
    const reason = STATUS_CODES[status] ?? 'Bad Request';
    const body = renderError(ErrorBody, reason).json;
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    const id = `${requestIdHeader}: ${newRequestId()}\r\n`;
    socket.end(`HTTP/1.1 ${status} ${reason}\r\n${headers.join('')}${id}${length}\r\n${body}`);
    // Closed at once, the connection could be reset before the client has read the answer.
    setTimeout(() => socket.destroy(), linger).unref();
  };
};

/** Answers a request with an expectation that the server does not support (RFC 9110, section 10.1.1). */
export const refuseExpectation = (): ((_: IncomingMessage, response: ServerResponse) => void) => {
  const headers = { ...usualSecurityHeaders, 'Cache-Control': 'no-store', 'Content-Type': json };
  return (_, response) => {
    response.writeHead(417, { ...headers, [requestIdHeader]: newRequestId() });
    response.end(renderError(ErrorBody, 'Expectation Failed').json);
  };
};
