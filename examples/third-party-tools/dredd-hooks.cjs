/**
 * Dredd sends one request for each documented status of each operation. These hooks change the request so
 * that the server answers with that status. The server has to run with `--strict`, which answers an unknown
 * parameter with 400.
 */
const hooks = require('hooks');

const session = process.env.SESSION;

/** By status: changes the request of a transaction so that the server answers with it. */
const provoke = {
  200: () => {},
  304: async ({ request, fullPath, protocol, host, port }) => {
    const url = `${protocol}//${host}:${port}${fullPath}`;
    const { headers } = await fetch(url, { headers: { Cookie: request.headers.Cookie } });
    request.headers['If-None-Match'] = headers.get('etag');
  },
  400: (transaction) => {
    transaction.fullPath += `${transaction.fullPath.includes('?') ? '&' : '?'}pgae=2`;
  },
  401: ({ request }) => {
    delete request.headers.Cookie;
  },
  404: (transaction) => {
    transaction.fullPath = transaction.fullPath.replace(/[^/]+$/, 'nope');
  },
};

hooks.beforeEach(async (transaction, done) => {
  const { request, expected } = transaction;
  const change = provoke[expected.statusCode];
  if (change === undefined) {
    // A fault of the server, or of its storage, cannot be provoked from outside.
    transaction.skip = true;
    return done();
  }
  request.headers.Cookie = `session=${session}`;
  await change(transaction);
  // Dredd requires every header that the document describes, also those that are optional.
  delete expected.headers['X-Triage-Warning'];
  // It compares the content type letter by letter; the document cannot name the charset.
  if (expected.headers['Content-Type'] === 'application/json') {
    expected.headers['Content-Type'] = 'application/json; charset=utf-8';
  }
  done();
});
