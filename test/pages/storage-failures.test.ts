import test from 'ava';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { form, json, serveWeb } from './_browserless.js';

const noBody = { method: 'POST', redirect: 'manual', headers: { Accept: 'application/json' } } as const;

test('logging in while the storage is unreachable gets a 503, by JSON and by form', async (t) => {
  const { ask } = await serveWeb(t, {
    storage: {
      ...aStorage([]),
      userByEmail: async () => ({ _tag: 'Left', left: { _tag: 'StorageUnavailable', cause: 'down' } }),
    },
  });
  const inJson = await ask('/login', json({ email: 'a@b.test', password: 'x' }));
  t.deepEqual(
    [inJson.status, inJson.body, inJson.headers.get('retry-after')],
    [503, { error: 'Service unavailable' }, '1'],
  );
  t.is((await ask('/login', form({ email: 'a@b.test', password: 'x' }))).status, 503);
});

const down = async () => ({ _tag: 'Left', left: { _tag: 'StorageUnavailable', cause: 'down' } }) as const;

test('log-out and API token requests while the storage is unreachable get a 503 and change no cookie', async (t) => {
  let listed = 0;
  const { ask, logged } = await serveWeb(t, {
    storage: {
      ...aStorage([acme]),
      endSession: down,
      apiTokens: () => {
        listed += 1;
        return down();
      },
      addApiToken: down,
      revokeApiToken: down,
    },
  });
  const session = { Cookie: 'session=acme-cookie' };
  for (const answer of [
    await ask('/logout', form({}, session)),
    await ask('/logout', { ...noBody, headers: { ...noBody.headers, ...session } }),
    await ask('/settings/api-tokens', { headers: { ...session, Accept: 'text/html' } }),
    await ask('/settings/api-tokens', form({ name: 'x', expiresInDays: '' }, session)),
    await ask('/settings/api-tokens/x/revoke', form({}, session)),
  ]) {
    t.is(answer.status, 503);
    t.is(answer.headers.get('retry-after'), '1');
    t.is(answer.headers.get('set-cookie'), null);
    t.regex(
      answer.text,
      /"error":"Service unavailable"|role="alert"|<h1 id="content">Service unavailable<\/h1>/,
    );
  }
  t.deepEqual(new Set(logged.map(({ event }) => event)), new Set(['storage.failed', 'storage.recovered']));
  t.is(listed, 1, 'the page of a failed change does not list the tokens');
});

test('changing or deleting an account while the storage is unreachable gets a 503 and changes no cookie', async (t) => {
  const storage = { ...aStorage([acme]), changePassword: down, deleteAccount: down };
  const { ask } = await serveWeb(t, { storage });
  const session = { Cookie: 'session=acme-cookie' };
  const fields = { password: 'secret', currentPassword: 'secret', newPassword: 'correct horse' };
  for (const path of ['/settings/account/password', '/settings/account/delete']) {
    for (const post of [form(fields, session), json(fields, session)]) {
      const answer = await ask(path, post);
      t.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1']);
      t.is(answer.headers.get('set-cookie'), null);
    }
  }
});

test('a new API token is shown even when the list of tokens cannot be read', async (t) => {
  const { ask } = await serveWeb(t, { storage: { ...aStorage([acme]), apiTokens: down } });
  const session = { Cookie: 'session=acme-cookie' };
  const shown = await ask('/settings/api-tokens', form({ name: 'ci', expiresInDays: '' }, session));
  t.is(shown.status, 503);
  t.regex(shown.text, /<code id="token">triage_/);
});

for (const failure of [
  { _tag: 'StorageUnavailable', cause: 'down' },
  { _tag: 'StorageFailed', cause: 'refused' },
  { _tag: 'RecordBroken', where: 'table users', problems: [] },
] as const) {
  test(`after ${failure._tag}, the page of a form does not read the storage again`, async (t) => {
    const storage = aStorage([acme]);
    const reads: string[] = [];
    const { ask } = await serveWeb(t, {
      storage: {
        ...storage,
        userByEmail: async () => ({ _tag: 'Left', left: failure }),
        caller: (credentials) => {
          reads.push('caller');
          return storage.caller(credentials);
        },
      },
    });
    const fields = { email: 'acme@test.test', password: 'secret' };
    const answer = await ask('/login', form(fields, { Cookie: 'session=acme-cookie' }));
    t.regex(answer.text, /role="alert"/);
    t.deepEqual(reads, []);
  });
}

test('an API token record that breaks the response codec gets a 500, and the log names the field', async (t) => {
  const storage = aStorage([acme]);
  const { ask, logged } = await serveWeb(t, {
    storage: {
      ...storage,
      apiTokens: async (caller) => {
        const found = await storage.apiTokens(caller);
        return found._tag === 'Left'
          ? found
          : { ...found, right: found.right.map((each) => Object.assign({ ...each }, { name: 7 })) };
      },
    },
  });
  const answer = await ask('/settings/api-tokens', {
    headers: { Cookie: 'session=acme-cookie', Accept: 'application/json' },
  });
  t.deepEqual([answer.status, answer.body], [500, { error: 'Internal server error' }]);
  t.true(JSON.stringify(logged).includes('/0/name: expected text, got 7'));
});
