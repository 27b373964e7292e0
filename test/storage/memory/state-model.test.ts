import { doesNotMatch, equal, ok } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { newSession } from '../../../src/accounts/sessions-and-tokens.js';
import { hashSecret } from '../../../src/api/credentials.js';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { fileStateStore } from '../../../src/fixtures/file-state-store.js';
import type { FixtureStorage } from '../../../src/fixtures/fixture-storage.js';
import type { StateStore } from '../../../src/fixtures/state-store.js';
import { aSession, aToken, at, aUser, dataset, now } from '../../_data.js';
import { runs } from '../../_runs.js';
import { aFixtureStorage, bySession, byToken, hashCheaply } from '../../_storage.js';
import { directoryWith } from './_directory.js';
import { faultyWrites } from './_faulty-writes.js';

const hour = 60 * 60 * 1000;
const maxSignUps = 3;
const fixtures = [
  dataset({
    user: aUser('f'),
    sessions: [aSession('fs', { expiresAt: '2100-01-01T00:00:00.000Z' })],
    apiTokens: [aToken('ft')],
  }),
];

/** What the accounts are, as lists, in the order of creation; nothing is removed from memory. */
type Model = {
  users: readonly Readonly<{ id: string; password: string }>[];
  sessions: readonly Readonly<{ value: string; userId: string; until: number }>[];
  tokens: readonly Readonly<{ value: string; userId: string; isRevoked: boolean }>[];
};

const initial: Model = {
  users: [],
  sessions: [{ value: 'fs', userId: 'f', until: Number.POSITIVE_INFINITY }],
  tokens: [{ value: 'ft', userId: 'f', isRevoked: false }],
};

const withoutUsers = (model: Model, gone: readonly string[]): Model => ({
  users: model.users.filter(({ id }) => !gone.includes(id)),
  sessions: model.sessions.filter(({ userId }) => !gone.includes(userId)),
  tokens: model.tokens.filter(({ userId }) => !gone.includes(userId)),
});

const users = ['f', 'u0', 'u1', 'u2', 'u3', 'u4'] as const;
const commands = fc.array(
  fc.oneof(
    fc.record({ _tag: fc.constant('signUp' as const), user: fc.constantFrom(...users.slice(1)) }),
    fc.record({
      _tag: fc.constantFrom('delete', 'changePassword', 'logIn', 'logOut', 'mint', 'revoke', 'use'),
      user: fc.constantFrom(...users),
    }),
    fc.record({
      _tag: fc.constantFrom('wait', 'restart', 'killAndRestart', 'failWrites', 'recover'),
      user: fc.constant('f'),
    }),
  ),
  { maxLength: 40 },
);

test('any changes, with failing disks and restarts between them, leave what a list of them would', async (t) => {
  const passwords = new Map<string, Awaited<ReturnType<typeof hashCheaply>>>();
  const hashOf = async (password: string) => {
    const hash = passwords.get(password) ?? (await hashCheaply(password));
    passwords.set(password, hash);
    return hash;
  };
  await fc.assert(
    fc.asyncProperty(commands, async (list) => {
      const folder = await directoryWith(t, {});
      const writes = faultyWrites();
      let time = at(now);
      let model = initial;
      let count = 0;
      let [stateStore, fixture] = await opened();
      async function opened(): Promise<[StateStore, FixtureStorage]> {
        const store = await fileStateStore(folder, { replace: writes.replace });
        if (E.isLeft(store)) throw new Error(store.left.join('\n'));
        return [
          store.right,
          aFixtureStorage(fixtures, { stateStore: store.right, maxSignUps, clock: () => time }),
        ];
      }
      /** Changes the model as well, unless the disk has failed. */
      const change = async <A>(call: () => Promise<E.Either<unknown, A>>, next: (result: A) => Model) => {
        const isFailing = writes.failure !== null;
        const result = await call();
        if (E.isRight(result)) model = next(result.right);
        // What changes nothing, or was refused, is not written.
        else if (!isFailing) doesNotMatch(JSON.stringify(result.left), /StorageUnavailable/);
      };
      const sessionOf = (userId: string, value: string) => ({
        ...newSession(userId, time, null).record,
        hash: hashSecret(value),
      });
      const started = (userId: string, value: string) => ({ value, userId, until: time + 7 * 24 * hour });

      for (const { _tag, user } of list) {
        count += 1;
        const { storage } = fixture;
        const value = `${user}-${count}`;
        const known = model.users.find(({ id }) => id === user);
        switch (_tag) {
          case 'signUp': {
            const account = {
              user: { id: user, email: `${user}@new.test`, name: user, passwordHash: await hashOf(value) },
              session: sessionOf(user, value),
              rows: { repos: [], scans: [], fixDrafts: [], pullRequests: [] },
              asOf: timestampAt(time),
            };
            await change(
              () => storage.signUp(account, null),
              () => {
                const added = {
                  ...model,
                  users: [...model.users, { id: user, password: value }],
                  sessions: [...model.sessions, started(user, value)],
                };
                const gone = added.users.slice(0, Math.max(0, added.users.length - maxSignUps));
                return withoutUsers(
                  added,
                  gone.map(({ id }) => id),
                );
              },
            );
            break;
          }
          case 'delete':
            await change(
              () => storage.deleteAccount({ userId: user }),
              () => withoutUsers(model, [user]),
            );
            break;
          case 'changePassword': {
            const [from, to] = [await hashOf(known?.password ?? ''), await hashOf(value)];
            const change1 = { from, to, session: sessionOf(user, value) };
            await change(
              () => storage.changePassword({ userId: user }, change1),
              (isDone) =>
                isDone
                  ? {
                      ...model,
                      users: model.users.map((each) =>
                        each === known ? { ...each, password: value } : each,
                      ),
                      sessions: [
                        ...model.sessions.filter(({ userId }) => userId !== user),
                        started(user, value),
                      ],
                    }
                  : model,
            );
            break;
          }
          case 'logIn':
            await change(
              () => storage.startSession(sessionOf(user, value), null),
              () =>
                user === 'f' || known !== undefined
                  ? { ...model, sessions: [...model.sessions, started(user, value)] }
                  : model,
            );
            break;
          case 'logOut': {
            const ended = model.sessions.find(({ userId }) => userId === user)?.value ?? 'unknown';
            await change(
              () => storage.endSession(hashSecret(ended)),
              () => ({
                ...model,
                sessions: model.sessions.filter((each) => each.value !== ended),
              }),
            );
            break;
          }
          case 'mint': {
            const hash = hashSecret(value);
            const dates = {
              createdAt: timestampAt(time),
              expiresAt: null,
              revokedAt: null,
              lastUsedAt: null,
            };
            const token = { id: value, userId: user, name: 'x', prefix: 'p', hash, ...dates };
            await change(
              () => storage.addApiToken(token),
              () => ({
                ...model,
                tokens: [...model.tokens, { value, userId: user, isRevoked: false }],
              }),
            );
            break;
          }
          case 'revoke': {
            const token = model.tokens.find(({ userId, isRevoked }) => userId === user && !isRevoked);
            const id = token?.value === 'ft' ? 'tok-ft' : (token?.value ?? 'unknown');
            await change(
              () => storage.revokeApiToken({ userId: user }, id, timestampAt(time)),
              () => ({
                ...model,
                tokens: model.tokens.map((each) => (each === token ? { ...each, isRevoked: true } : each)),
              }),
            );
            break;
          }
          case 'use':
            for (const token of model.tokens) await storage.repos(byToken(token.value, timestampAt(time)));
            break;
          case 'wait':
            time += 50 * hour;
            break;
          case 'failWrites':
            writes.failure = new Error('ENOSPC');
            break;
          case 'restart':
          case 'killAndRestart':
          case 'recover':
            writes.failure = null;
            if (_tag === 'recover') break;
            if (_tag === 'restart') await fixture.close();
            // What a process leaves that was killed while it wrote a file.
            else await writeFile(join(folder, `${hashSecret('u0')}.json.${count}`), '{"userId":"u');
            [stateStore, fixture] = await opened();
        }
        await agrees();
      }
      writes.failure = null;
      await fixture.close();
      [stateStore, fixture] = await opened();
      await agrees();

      async function agrees(): Promise<void> {
        const { storage } = fixture;
        const moment = timestampAt(time);
        for (const { value, until } of model.sessions)
          equal(E.isRight(await storage.caller(bySession(value, moment))), until > time, value);
        for (const { value, isRevoked } of model.tokens)
          equal(E.isRight(await storage.caller(byToken(value, moment))), !isRevoked, value);
        for (const id of users.slice(1)) {
          const found = await storage.userByEmail(`${id}@NEW.test`);
          const known = model.users.find((each) => each.id === id);
          const hash = known === undefined ? undefined : await hashOf(known.password);
          equal(E.isRight(found) ? found.right?.passwordHash : null, hash, id);
          const gone = known === undefined ? [id] : [];
          for (const each of gone) equal(stateStore.current().accounts.get(each), undefined);
        }
        for (const session of stateStore.current().sessions.values())
          if (session.expiresAt > moment)
            ok(
              model.sessions.some(({ value }) => hashSecret(value) === session.hash),
              'no session is left over',
            );
        for (const { hash } of stateStore.current().apiTokens.values())
          ok(
            model.tokens.some(({ value }) => hashSecret(value) === hash),
            'no token is left over',
          );
      }
    }),
    runs(60),
  );
  t.pass();
});
