import test from 'ava';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { logOut } from '../../src/accounts/log-out.js';
import { hashSecret } from '../../src/accounts/secrets.js';
import type { SecurityEvent } from '../../src/accounts/security-event.js';
import { bySession } from '../_storage.js';
import { aVisitor, dependencies, kimSession, outcome } from './_accounts.js';

test('logging out ends the session at once, and is reported', async (t) => {
  const given = dependencies();
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ session: kimSession, report: (event) => events.push(event) });
  t.is(await outcome(logOut(given)(visitor)), 'done');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'Unauthorized');
  t.is(await outcome(logOut(given)(visitor)), 'done');
  t.deepEqual<unknown, unknown>(events, [{ _tag: 'LoggedOut', userId: 'kim' }]);
});

for (const [title, session] of [
  ['without a session', null],
  ['with an unknown session', hashSecret('unknown')],
] as const) {
  test(`logging out ${title} changes nothing and is not reported`, async (t) => {
    const events: SecurityEvent[] = [];
    const { storage, ...given } = dependencies();
    const endSession = () => {
      t.fail('a session ends');
      return storage.endSession(kimSession);
    };
    const visitor = aVisitor({ session, report: (event) => events.push(event) });
    t.is(await outcome(logOut({ ...given, storage: { ...storage, endSession } })(visitor)), 'done');
    t.deepEqual(events, []);
  });
}

test('a published session does not end', async (t) => {
  const given = dependencies({ isPublishedSession: (session) => session === kimSession });
  const events: SecurityEvent[] = [];
  const visitor = aVisitor({ session: kimSession, report: (event) => events.push(event) });
  t.is(await outcome(logOut(given)(visitor)), 'AccountPublished');
  t.is(await outcome(given.storage.caller(bySession('kim-cookie'))), 'done');
  t.deepEqual(events, []);
});

test('a failure of the storage is not taken for a logout', async (t) => {
  const { storage, ...given } = dependencies();
  const down = () => TE.left({ _tag: 'StorageUnavailable' as const, cause: 'down' });
  const visitor = aVisitor({ session: kimSession });
  for (const over of [{ caller: down }, { endSession: down }]) {
    t.is(
      await outcome(logOut({ ...given, storage: { ...storage, ...over } })(visitor)),
      'StorageUnavailable',
    );
  }
});
