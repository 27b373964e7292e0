import test from 'ava';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { form, json, serveWeb } from './_browserless.js';

const down = async () => ({ _tag: 'Left', left: { _tag: 'StorageUnavailable', cause: 'down' } }) as const;

test('while the storage is unreachable, every form and its JSON get a 503 and change no cookie', async (t) => {
  let listed = 0;
  const { ask, logged } = await serveWeb(t, {
    storage: {
      ...aStorage([acme]),
      userByEmail: down,
      endSession: down,
      apiTokens: () => {
        listed += 1;
        return down();
      },
      addApiToken: down,
      revokeApiToken: down,
      changePassword: down,
      deleteAccount: down,
    },
  });
  const session = { Cookie: 'session=acme-cookie' };
  const fields = { password: 'secret', currentPassword: 'secret', newPassword: 'correct horse' };
  const posts = [
    ['/login', { email: 'a@b.test', password: 'x' }],
    ['/logout', {}],
    ['/settings/api-tokens', { name: 'x' }],
    ['/settings/api-tokens/x/revoke', {}],
    ['/settings/account/password', fields],
    ['/settings/account/delete', fields],
  ] as const;
  for (const [path, body] of posts)
    for (const post of [form, json]) {
      const answer = await ask(path, post(body, session));
      t.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'], path);
      t.is(answer.headers.get('set-cookie'), null, path);
      t.regex(answer.text, post === json ? /^\{"error":"Service unavailable"\}$/ : /role="alert"/, path);
    }
  t.is(listed, 0, 'the page of a failed change does not list the tokens');
  const list = await ask('/settings/api-tokens', { headers: { ...session, Accept: 'text/html' } });
  t.is(list.status, 503);
  t.deepEqual(new Set(logged.map(({ event }) => event)), new Set(['storage.failed', 'storage.recovered']));
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
