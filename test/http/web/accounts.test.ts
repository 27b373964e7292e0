import test from 'ava';
import { bearer, cookie } from '../../_server.js';
import { aStorage } from '../../_storage.js';
import { acme } from '../_world.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const noBody = { method: 'POST', redirect: 'manual', headers: { Accept: 'application/json' } } as const;

test('signing up in JSON: the user, a cookie, and demo rows under fresh ids that nobody else sees', async (t) => {
  const { ask } = await serveWeb(t);
  const answer = await ask('/signup', json(ann));
  t.is(answer.status, 200);
  const { user } = Object(answer.body);
  t.deepEqual(answer.body, { user: { id: user.id, email: 'ann@new.test', name: 'Ann' } });
  t.regex(
    answer.headers.get('set-cookie') ?? '',
    /^session=[\w-]{43}; path=\/; expires=[^;]*; samesite=lax; httponly$/,
  );

  const mine = cookie(sessionOf(answer));
  const repos = Object((await ask('/api/v1/repos', mine)).body);
  t.is(repos.length, 5);
  t.true(repos.every((repo: unknown) => Object(repo).isDemoRow === true));
  const findings = Object((await ask('/api/v1/findings', mine)).body);
  const prs = Object((await ask('/api/v1/prs', mine)).body);
  t.deepEqual([findings.totalItems, prs.totalItems], [5, 7]);
  const repoIds = repos.map((repo: unknown) => Object(repo).id);
  for (const { id, repoId } of findings.items) {
    t.true(repoIds.includes(repoId));
    t.is((await ask(`/api/v1/findings/${id}`, mine)).status, 200);
    t.is((await ask(`/api/v1/findings/${id}`, cookie('acme-cookie'))).status, 404);
  }
  t.is(repos.find((repo: unknown) => Object(repo).hasOpenFixPr).openFixDraftId, prs.items[1].id);
  t.is((await ask('/api/v1/findings/d1', mine)).status, 404);

  const second = cookie(sessionOf(await ask('/signup', json({ ...ann, email: 'bob@new.test' }))));
  const others = Object((await ask('/api/v1/findings', second)).body);
  t.is(others.totalItems, 5);
  t.is((await ask(`/api/v1/findings/${others.items[0].id}`, mine)).status, 404);
});

test('signing up ends the session that the browser came with', async (t) => {
  const { ask } = await serveWeb(t);
  const first = sessionOf(await ask('/signup', json(ann)));
  await ask('/signup', json({ ...ann, email: 'bob@new.test' }, { Cookie: `session=${first}` }));
  t.is((await ask('/api/v1/repos', cookie(first))).status, 401);
});

test('days to expire are taken as a number, as text, or not at all', async (t) => {
  const { ask } = await serveWeb(t);
  const mint = async (expiresInDays: unknown) =>
    Object(
      (
        await ask(
          '/settings/api-tokens',
          json({ name: 'x', expiresInDays }, { Cookie: 'session=acme-cookie' }),
        )
      ).body,
    ).expiresAt;
  t.is(await mint(30), '2026-12-20T12:00:00.000Z');
  t.is(await mint('30'), '2026-12-20T12:00:00.000Z');
  t.is(await mint(null), null);
});

test('signing up by form: a redirect home, with the cookie', async (t) => {
  const { ask } = await serveWeb(t);
  const answer = await ask('/signup', form(ann));
  t.deepEqual([answer.status, answer.headers.get('location')], [303, '/']);
  t.is((await ask('/api/v1/repos', cookie(sessionOf(answer)))).status, 200);
});

const table: readonly (readonly [
  what: string,
  fields: Record<string, string>,
  status: number,
  error: string,
])[] = [
  [
    'a taken address',
    { ...ann, email: 'acme@test.test' },
    401,
    'No account can be created with this address. If it is yours, log in instead',
  ],
  [
    'a taken address in capitals',
    { ...ann, email: 'ACME@Test.test' },
    401,
    'No account can be created with this address. If it is yours, log in instead',
  ],
  [
    'a short password',
    { ...ann, password: '1234567' },
    400,
    'password: expected a password of 8 to 200 characters that is not a common one, got other text',
  ],
  [
    'a common password',
    { ...ann, password: 'Password123' },
    400,
    'password: expected a password of 8 to 200 characters that is not a common one, got other text',
  ],
  [
    'one letter over and over',
    { ...ann, password: 'aaaaaaaaaa' },
    400,
    'password: expected a password of 8 to 200 characters that is not a common one, got other text',
  ],
  [
    'a malformed address',
    { ...ann, email: 'ann at home' },
    400,
    'email: expected an e-mail address such as name@example.com, got "ann at home"',
  ],
  [
    'an address without a dot',
    { ...ann, email: 'ann@home' },
    400,
    'email: expected an e-mail address such as name@example.com, got "ann@home"',
  ],
  [
    'a common password in full width',
    { ...ann, password: 'ｐａｓｓｗｏｒｄ' },
    400,
    'password: expected a password of 8 to 200 characters that is not a common one, got other text',
  ],
  [
    'an invisible name',
    { ...ann, name: '\u200b' },
    400,
    'name: expected a name of 1 to 100 characters, one of them to be seen, got "\u200b"',
  ],
  [
    'an address with a character that turns the text round',
    { ...ann, email: 'a\u202e@b.test' },
    400,
    'email: expected an e-mail address such as name@example.com, got "a\u202e@b.test"',
  ],
  [
    'no name',
    { ...ann, name: ' ' },
    400,
    'name: expected a name of 1 to 100 characters, one of them to be seen, got " "',
  ],
];

for (const [what, fields, status, error] of table) {
  test(`signing up with ${what} → ${status}`, async (t) => {
    const { ask } = await serveWeb(t);
    const answer = await ask('/signup', json(fields));
    t.deepEqual([answer.status, answer.body], [status, { error }]);
    t.is(answer.headers.get('set-cookie'), null);
    const page = await ask('/signup', form(fields));
    t.is(page.status, status);
    t.regex(page.text, /role="alert"/);
    t.true(page.text.includes(`value="${fields.email}"`));
    t.false(page.text.includes(fields.password ?? ''));
  });
}

test('logging in: a new session each time, which ends the one before', async (t) => {
  const { ask } = await serveWeb(t);
  const credentials = { email: 'acme@test.test', password: 'secret' };
  const first = await ask('/login', json(credentials));
  t.deepEqual(first.body, { user: { id: 'acme', email: 'acme@test.test', name: 'acme' } });
  const again = await ask(
    '/login',
    json({ ...credentials, email: 'ACME@test.test' }, { Cookie: `session=${sessionOf(first)}` }),
  );
  t.not(sessionOf(again), sessionOf(first));
  t.is((await ask('/api/v1/repos', cookie(sessionOf(first)))).status, 401);
  t.is((await ask('/api/v1/repos', cookie(sessionOf(again)))).status, 200);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 200);
  const planted = await ask('/login', form(credentials, { Cookie: 'session=planted-by-somebody' }));
  t.deepEqual([planted.status, planted.headers.get('location')], [303, '/']);
  t.not(sessionOf(planted), 'planted-by-somebody');
});

test('an unknown address and a wrong password are told the same', async (t) => {
  const { ask } = await serveWeb(t);
  const unknown = await ask('/login', json({ email: 'nobody@test.test', password: 'secret' }));
  const wrong = await ask('/login', json({ email: 'acme@test.test', password: 'Secret' }));
  t.deepEqual(
    [unknown.status, unknown.body],
    [401, { error: 'The e-mail address or the password is wrong' }],
  );
  t.deepEqual([wrong.status, wrong.text], [unknown.status, unknown.text]);
  t.is(unknown.headers.get('www-authenticate'), 'Cookie realm="triage-api", cookie-name="session"');
  const pages = await Promise.all(
    ['nobody@test.test', 'acme@test.test'].map((email) => ask('/login', form({ email, password: 'nope' }))),
  );
  t.deepEqual(
    pages.map(({ status }) => status),
    [401, 401],
  );
  t.is(pages[0]?.text.replaceAll('nobody@', 'acme@'), pages[1]?.text);
});

test('logging out ends the session on the server', async (t) => {
  const { ask } = await serveWeb(t);
  const value = sessionOf(await ask('/signup', json(ann)));
  const out = await ask('/logout', { ...noBody, headers: { ...noBody.headers, Cookie: `session=${value}` } });
  t.is(out.status, 204);
  t.regex(out.headers.get('set-cookie') ?? '', /^session=; path=\/; expires=Thu, 01 Jan 1970/);
  t.is((await ask('/api/v1/repos', cookie(value))).status, 401);
  const ofFixtures = await ask('/logout', { method: 'POST', redirect: 'manual', ...cookie('acme-cookie') });
  t.deepEqual([ofFixtures.status, ofFixtures.headers.get('location')], [303, '/login']);
  t.is((await ask('/api/v1/repos', cookie('acme-cookie'))).status, 401);
  t.is((await ask('/logout', noBody)).status, 204);
});

test('an API token: minted, shown once, used, listed, revoked', async (t) => {
  const { ask } = await serveWeb(t);
  const session = { Cookie: `session=${sessionOf(await ask('/signup', json(ann)))}` };
  const minted = await ask(
    '/settings/api-tokens',
    json({ name: ' ci ', expiresAt: '2026-12-01T00:00:00.000Z' }, session),
  );
  const { id, token } = Object(minted.body);
  t.is(minted.status, 201);
  t.deepEqual(minted.body, { id, name: 'ci', token, expiresAt: '2026-12-01T00:00:00.000Z' });
  t.regex(token, /^triage_[\w-]{43}$/);

  const list = async () =>
    (await ask('/settings/api-tokens', { headers: { ...session, Accept: 'application/json' } })).body;
  const listed = {
    id,
    name: 'ci',
    prefix: token.slice(0, 11),
    createdAt: '2026-11-20T12:00:00.000Z',
    lastUsedAt: null,
    expiresAt: '2026-12-01T00:00:00.000Z',
    revokedAt: null,
  };
  t.deepEqual(await list(), [listed]);
  t.is((await ask('/api/v1/prs', bearer(token))).status, 200);
  t.deepEqual(await list(), [{ ...listed, lastUsedAt: '2026-11-20T12:00:00.000Z' }]);

  const revoked = await ask(`/settings/api-tokens/${id}/revoke`, {
    ...noBody,
    headers: { ...noBody.headers, ...session },
  });
  t.is(revoked.status, 204);
  t.is((await ask('/api/v1/prs', bearer(token))).status, 401);
  t.is(Object(await list())[0].revokedAt, '2026-11-20T12:00:00.000Z');
});

test('API tokens of the fixtures are listed too, and can be revoked', async (t) => {
  const { ask } = await serveWeb(t);
  const session = { Cookie: 'session=acme-cookie', Accept: 'application/json' };
  const tokens = Object((await ask('/settings/api-tokens', { headers: session })).body);
  t.is(tokens.length, 4);
  t.false('token' in tokens[0]);
  t.is(tokens.find((token: unknown) => Object(token).id === 'tok-acme-token').prefix, 'acme-');
  const revoke = await ask('/settings/api-tokens/tok-acme-token/revoke', { ...noBody, headers: session });
  t.is(revoke.status, 204);
  t.is((await ask('/api/v1/prs', bearer('acme-token'))).status, 401);
});

test('what is wrong with a token', async (t) => {
  const { ask } = await serveWeb(t);
  const session = { Cookie: 'session=acme-cookie' };
  const post = async (body: unknown, headers: Record<string, string> = session) => {
    const { status, body: answer } = await ask('/settings/api-tokens', json(body, headers));
    return [status, Object(answer).error];
  };
  t.deepEqual(await post({}), [
    400,
    'name: expected a name of 1 to 100 characters, one of them to be seen, got nothing',
  ]);
  t.deepEqual(await post({ name: 'x', expiresAt: '2026-11-20T12:00:00.000Z' }), [
    400,
    'expiresAt: expected a time in the future, got "2026-11-20T12:00:00.000Z"',
  ]);
  t.deepEqual(await post({ name: 'x', expiresAt: 'soon' }), [
    400,
    'expiresAt: expected timestamp (YYYY-MM-DDTHH:mm:ss.sssZ) or null, got "soon"',
  ]);
  t.deepEqual(await post({ name: 'x', expiresInDays: '0' }), [
    400,
    'expiresInDays: expected a number of days from 1 to 3650, or nothing, got "0"',
  ]);
  t.deepEqual(await post({ name: 'x' }, {}), [401, 'Unauthorized']);
  t.deepEqual(await post({ name: 'x' }, { Authorization: 'Bearer acme-token' }), [401, 'Unauthorized']);
  const headers = { ...session, Accept: 'application/json' };
  for (const id of ['nope', 'tok-other-token']) {
    const answer = await ask(`/settings/api-tokens/${id}/revoke`, { ...noBody, headers });
    t.deepEqual([answer.status, answer.body], [404, { error: 'API token not found' }]);
  }
  t.is((await ask('/api/v1/prs', bearer('other-token'))).status, 200);
});

test('a form mints with an expiry in days, and shows the token on that page alone', async (t) => {
  const { ask } = await serveWeb(t);
  const session = { Cookie: 'session=acme-cookie' };
  const minted = await ask('/settings/api-tokens', form({ name: '<b>ci</b>', expiresInDays: '7' }, session));
  t.is(minted.status, 201);
  const [, token = ''] = /<code id="token">(triage_[\w-]+)<\/code>/.exec(minted.text) ?? [];
  t.is((await ask('/api/v1/prs', bearer(token))).status, 200);
  t.regex(minted.text, /2026-11-27 12:00 UTC/);
  t.notRegex(minted.text, /<b>ci/);
  t.false((await ask('/settings/api-tokens', { headers: session })).text.includes(token));
  const unnamed = await ask('/settings/api-tokens', form({ name: 'mine', expiresInDays: 'x' }, session));
  t.is(unnamed.status, 400);
  t.true(unnamed.text.includes('Please enter a number of days from 1 to 3650, or nothing.'));
  t.true(unnamed.text.includes('value="mine"'));
  t.regex(unnamed.text, /role="alert"/);
});

test('a user has at most so many tokens that hold', async (t) => {
  const { ask } = await serveWeb(t);
  const session = { Cookie: `session=${sessionOf(await ask('/signup', json(ann)))}` };
  const mint = (i: number) => ask('/settings/api-tokens', json({ name: `t${i}` }, session));
  const tokens = [];
  for (let i = 0; i < 50; i += 1) tokens.push(Object((await mint(i)).body));
  const refused = await mint(50);
  t.deepEqual(
    [refused.status, refused.body],
    [409, { error: 'You have reached the maximum number of API tokens: revoke one first' }],
  );
  await ask(`/settings/api-tokens/${tokens[0].id}/revoke`, {
    ...noBody,
    headers: { ...noBody.headers, ...session },
  });
  t.is((await mint(51)).status, 201);
});

test('signed out, the tokens page leads to the login, and pages offer it', async (t) => {
  const { ask } = await serveWeb(t);
  const answer = await ask('/settings/api-tokens', { redirect: 'manual', headers: { Accept: 'text/html' } });
  t.deepEqual([answer.status, answer.headers.get('location')], [303, '/login']);
  t.regex((await ask('/')).text, /href="\/login"/);
  t.true((await ask('/', cookie('acme-cookie'))).text.includes('You are signed in as acme (acme@test.test)'));
});

test('the start page says what this is, whose data it shows, and the demo accounts', async (t) => {
  const { ask } = await serveWeb(t, {
    demoAccounts: () => [
      { name: '<Dana>', email: 'dana@acme.test', password: 'p&w' },
      { name: 'Kim', email: 'kim@team.test', password: null },
    ],
  });
  const { text, headers } = await ask('/');
  t.regex(text, /Mock server: everything here is demo data from fixtures/);
  t.regex(text, /&#60;Dana&#62;.*dana@acme\.test.*<code>p&#38;w<\/code>/);
  t.regex(text, /kim@team\.test.*see the fixture file/);
  for (const path of ['/api/v1/repos', '/api/v1/findings/{id}', '/api/v1/prs'])
    t.true(text.includes(`GET ${path}`));
  t.is(headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(headers.get('cache-control'), 'no-store');
  t.regex(
    (await (await serveWeb(t, { mode: 'database' })).ask('/')).text,
    /Database: your changes are stored permanently/,
  );
});

test('a storage that cannot be reached: 503, on a page and in JSON', async (t) => {
  const { ask } = await serveWeb(t, {
    storage: {
      ...aStorage([]),
      userByEmail: () => async () => ({ _tag: 'Left', left: { _tag: 'StorageUnavailable', cause: 'down' } }),
    },
  });
  const inJson = await ask('/login', json({ email: 'a@b.test', password: 'x' }));
  t.deepEqual(
    [inJson.status, inJson.body, inJson.headers.get('retry-after')],
    [503, { error: 'Service unavailable' }, '1'],
  );
  t.is((await ask('/login', form({ email: 'a@b.test', password: 'x' }))).status, 503);
});

const down = () => async () =>
  ({ _tag: 'Left', left: { _tag: 'StorageUnavailable', cause: 'down' } }) as const;

test('a storage that fails while signed in: 503 everywhere, and nothing is claimed to be done', async (t) => {
  const { ask, logged } = await serveWeb(t, {
    storage: {
      ...aStorage([acme]),
      endSession: down,
      apiTokens: down,
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
  }
  t.is(logged.filter(({ event }) => event === 'the storage cannot be reached').length, 5);
});

test('a storage that breaks what scripts are promised: 500, and the log says where', async (t) => {
  const storage = aStorage([acme]);
  const { ask, logged } = await serveWeb(t, {
    storage: {
      ...storage,
      apiTokens: (caller) => async () => {
        const found = await storage.apiTokens(caller)();
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
  t.true(JSON.stringify(logged).includes('/0/name: expected string, got 7'));
});
