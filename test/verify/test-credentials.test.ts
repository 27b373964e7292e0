import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
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
