import test from 'ava';
import { logIn } from '../../src/accounts/log-in-and-sign-up.js';
import { changePassword, deleteAccount } from '../../src/accounts/own-account.js';
import type { PresentedCredentials } from '../../src/api/storage-port.js';
import { bySession } from '../_storage.js';
import { aVisitor, dependencies, newcomer, outcome } from './_accounts.js';

const password = 'correct horse';

for (const what of ['its account is deleted', 'its password is changed']) {
  test(`a login gets no session if ${what} while the password is verified`, async (t) => {
    const given = dependencies();
    const { user } = await newcomer(given);
    const change = () =>
      what.includes('deleted')
        ? given.storage.deleteAccount({ userId: user.id })
        : changePassword(given)(
            user,
            { currentPassword: password, newPassword: 'another battery' },
            aVisitor(),
          );
    const started: PresentedCredentials['session'][] = [];
    const storage = {
      ...given.storage,
      startSession: async (...args: Parameters<typeof given.storage.startSession>) => {
        await change();
        started.push(args[0].hash);
        return given.storage.startSession(...args);
      },
    };
    const login = logIn({ ...given, storage })({ email: user.email, password }, aVisitor());
    t.is(await outcome(login), 'WrongCredentials');
    for (const session of started)
      t.is(await outcome(given.storage.caller({ ...bySession(''), session })), 'Unauthorized');
  });
}

test('the password of an account that took over the address is not the own one', async (t) => {
  const given = dependencies();
  const { user } = await newcomer(given);
  const old = { ...user, id: 'usr_before' };
  t.is(await outcome(deleteAccount(given)(old, { password }, aVisitor())), 'WrongPassword');
});
