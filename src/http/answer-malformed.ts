import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { renderError } from '../api/rendered.js';
import { ErrorBody } from '../contract/error-bodies.js';
import { newRequestId, requestIdHeader } from './request-id.js';

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers what never became a request (malformed HTTP, headers too large or too slow) in JSON as well, and
 * closes the connection.
 */
export const answerMalformed = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = statuses[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const body = renderError(ErrorBody, reason).json;
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `${requestIdHeader}: ${newRequestId()}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
};

/** Answers a request with an expectation that the server does not support (RFC 9110, section 10.1.1). */
export const refuseExpectation = (_: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(417, {
    'Content-Type': 'application/json; charset=utf-8',
    [requestIdHeader]: newRequestId(),
  });
  response.end(renderError(ErrorBody, 'Expectation Failed').json);
};
