import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { describeRequest, getRequest, toHttpRequest } from '../../src/client/api-request.js';
import {
  bySession,
  byToken,
  invalidSession,
  invalidToken,
  noCredentials,
  requestAuth,
  secretValues,
  testCredentials,
} from '../../src/verify/test-credentials.js';

const credentials = testCredentials({
  session: 's1',
  token: 't1',
  otherSession: 's2',
  otherToken: undefined,
  expiredSession: undefined,
  expiredToken: undefined,
});

const session = { name: 'session', value: 's1' };
const bearer = { name: 'token', value: 't1' };

test('credentials are looked up by name; null sends none', (t) => {
  t.deepEqual(requestAuth(credentials, noCredentials), E.right({ session: null, bearer: null }));
  t.deepEqual(requestAuth(credentials, bySession), E.right({ session, bearer: null }));
  t.deepEqual(requestAuth(credentials, byToken), E.right({ session: null, bearer }));
  t.deepEqual(
    requestAuth(credentials, { session: 'invalidSession', bearer: 'invalidToken' }),
    E.right({ session: invalidSession, bearer: invalidToken }),
  );
});

test('credentials that the run does not have are a missing prerequisite that names their option', (t) => {
  t.deepEqual(
    requestAuth(credentials, { session: 'session', bearer: 'expiredToken' }),
    E.left({ _tag: 'Missing', prerequisite: 'an expired token (--expired-token)', reason: 'credentials' }),
  );
});

test('reports must not contain the secrets of the run; invalid credentials are no secrets', (t) => {
  t.deepEqual(secretValues(credentials), ['s1', 't1', 's2']);
});

const long = testCredentials({
  session: 'Session-123456',
  token: '0123456789',
  otherSession: undefined,
  otherToken: undefined,
  expiredSession: undefined,
  expiredToken: undefined,
});

test('altered credentials lack their end, have another character, or are in other letter case', (t) => {
  const values = [long.shortenedSession, long.lengthenedSession, long.recasedSession].map(
    (secret) => secret?.value,
  );
  t.deepEqual(values, ['Session-12', 'Session-123456x', 'sESSION-123456']);
  t.is(long.recasedToken, null, 'a token without letters');
  t.is(credentials.shortenedSession, null, 'a short session');
  t.true(secretValues(long).includes('Session-12'), 'reports must not contain them either');
});

test('a secret can be sent in another header', (t) => {
  const auth = requestAuth(long, {
    session: null,
    bearer: null,
    other: { header: 'X-Api-Key', prefix: '', secret: 'token' },
  });
  const secret = { name: 'token', value: '0123456789' };
  t.deepEqual(
    auth,
    E.right({ session: null, bearer: null, other: { header: 'X-Api-Key', prefix: '', secret } }),
  );
  if (E.isLeft(auth)) return;
  const request = getRequest('/', [], auth.right);
  t.is(describeRequest(request), 'GET / (X-Api-Key: token)');
  t.is(toHttpRequest('session', request).headers['X-Api-Key'], '0123456789');
});
