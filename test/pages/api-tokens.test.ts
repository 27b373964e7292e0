import test from 'ava';
import { bearer } from '../_server.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

const noBody = { method: 'POST', redirect: 'manual', headers: { Accept: 'application/json' } } as const;

test('an API token is minted, shown once, used, listed and revoked', async (t) => {
  const { ask } = await serveWeb(t);
  const session = { Cookie: `session=${sessionOf(await ask('/signup', json(ann)))}` };
  const minted = await ask(
    '/settings/api-tokens',
    json({ name: ' ci ', expiresAt: '2026-12-01T00:00:00.000Z', expiresInDays: 7 }, session),
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

test('invalid input, missing credentials and unknown ids are refused when minting or revoking an API token', async (t) => {
  const { ask } = await serveWeb(t);
  const session = { Cookie: 'session=acme-cookie' };
  const post = async (body: unknown, headers: Record<string, string> = session) => {
    const { status, body: answer } = await ask('/settings/api-tokens', json(body, headers));
    return [status, Object(answer).error];
  };
  t.deepEqual(await post({}), [
    400,
    'name: expected a name of 1 to 100 characters, at least one of them visible, got nothing',
  ]);
  t.deepEqual(await post({ name: 'x', expiresAt: '2026-11-20T12:00:00.000Z' }), [
    400,
    'expiresAt: expected a time in the future, got "2026-11-20T12:00:00.000Z"',
  ]);
  t.deepEqual(await post({ name: 'x', expiresAt: '9999-01-01T00:00:00Z' }), [201, undefined]);
  t.deepEqual(await post({ name: 'x', expiresAt: 'soon' }), [
    400,
    'expiresAt: expected a moment in UTC such as 2026-11-20T12:00:00Z or null, got "soon"',
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

test('the page lists tokens without the tokens, and a form that is refused keeps what was entered', async (t) => {
  const { ask } = await serveWeb(t);
  const session = { Cookie: 'session=acme-cookie' };
  const minted = await ask('/settings/api-tokens', form({ name: '<b>ci</b>', expiresInDays: '7' }, session));
  t.is(minted.status, 200);
  const listed = await ask('/settings/api-tokens', { headers: session });
  t.is(listed.headers.get('content-type'), 'text/html; charset=utf-8');
  t.true(listed.text.includes('&#60;b&#62;ci'));
  t.regex(listed.text, /2026-11-27 12:00 UTC/);
  t.notRegex(listed.text, /<b>ci/);
  t.regex(listed.text, /<input id="name"[^>]* value=""/);
  t.notRegex(listed.text, /triage_[\w-]{20,}/);
  const unnamed = await ask('/settings/api-tokens', form({ name: 'mine', expiresInDays: 'x' }, session));
  t.is(unnamed.status, 400);
  t.regex(unnamed.text, /"#expiresInDays">Expires<\/a>: Enter a number of days from 1 to 3650, or nothing\./);
  t.true(unnamed.text.includes('value="mine"'));
  t.true(unnamed.text.includes('?revoke=tok-acme-token"'), 'the list is shown');
  t.regex(unnamed.text, /role="alert"/);
  const nested = await ask('/settings/api-tokens', form({ 'name[a]': 'b' }, session));
  t.is(nested.status, 400);
  t.regex(nested.text, /<input id="name"[^>]* value=""/);
});

test('a user has at most 50 valid API tokens; revoking one makes room for another', async (t) => {
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

test('revoking by form is confirmed on a page of its own', async (t) => {
  const { ask } = await serveWeb(t);
  const signedIn = { headers: { Cookie: 'session=acme-cookie', Accept: 'text/html' } };
  const list = await ask('/settings/api-tokens', signedIn);
  const [, path = ''] = /href="(\/settings\/api-tokens\?revoke=tok-acme-token)"/.exec(list.text) ?? [];
  const page = await ask(path, signedIn);
  t.is(page.status, 200);
  t.true(page.text.includes('<h1 id="content">Revoke this token?</h1>'));
  t.true(page.text.includes('action="/settings/api-tokens/tok-acme-token/revoke"'));
  t.true(page.text.includes('href="/settings/api-tokens">Cancel</a>'));
  t.is((await ask('/api/v1/prs', bearer('acme-token'))).status, 200, 'the page itself revokes nothing');
  const posted = await ask(
    '/settings/api-tokens/tok-acme-token/revoke',
    form({}, { Cookie: 'session=acme-cookie' }),
  );
  t.deepEqual([posted.status, posted.headers.get('location')], [303, '/settings/api-tokens']);
  t.is((await ask('/api/v1/prs', bearer('acme-token'))).status, 401);
  const again = await ask(path, { ...signedIn, redirect: 'manual' });
  t.deepEqual([again.status, again.headers.get('location')], [303, '/settings/api-tokens']);
});

test('revoking a token that does not exist, or is another user’s, asks for no confirmation', async (t) => {
  const { ask } = await serveWeb(t);
  for (const query of ['revoke=nope', 'revoke=tok-other-token', 'revoke=', 'revoke=a&revoke=b']) {
    const page = await ask(`/settings/api-tokens?${query}`, {
      headers: { Cookie: 'session=acme-cookie', Accept: 'text/html' },
    });
    t.is(page.status, 404, query);
    t.regex(page.text, /role="alert">API token not found\./);
  }
  const signedOut = await ask('/settings/api-tokens?revoke=tok-acme-token', { redirect: 'manual' });
  t.is(signedOut.headers.get('location'), '/login?next=%2Fsettings%2Fapi-tokens%3Frevoke%3Dtok-acme-token');
});

test('expired and revoked API tokens come last in the list, and say so', async (t) => {
  const { ask } = await serveWeb(t);
  const { text } = await ask('/settings/api-tokens', { headers: { Cookie: 'session=acme-cookie' } });
  const rows = Array.from(text.matchAll(/<tr role="row" class="(token[^"]*)">(.*?)<\/tr>/gs));
  const states = rows.map(([, name = '', row = '']) => [name, /Expired|Revoked|Active/.exec(row)?.[0]]);
  t.true(states.length === 4 && states.some(([name]) => name === 'token over'));
  t.deepEqual(
    states,
    [...states].sort(([a = ''], [b = '']) => a.length - b.length),
  );
  for (const [name, state] of states) t.is(name === 'token', state === 'Active');
});

test('only the page with a new token allows the script that copies it', async (t) => {
  const { ask } = await serveWeb(t);
  const acme = 'session=acme-cookie';
  const shown = await ask('/settings/api-tokens', form({ name: 'ci' }, { Cookie: acme }));
  const policy = ({ headers }: Readonly<{ headers: Headers }>) =>
    headers.get('content-security-policy') ?? '';
  t.regex(policy(shown), /;script-src 'self'$/);
  t.deepEqual(shown.text.match(/<script[^>]*>/g), ['<script src="/assets/copy.js" defer>']);
  t.regex(shown.text, /<button type="button" class="quiet" data-copies="token" hidden>/);
  const again = await ask('/settings/api-tokens', { headers: { Cookie: acme } });
  t.notRegex(policy(again), /script-src/);
  t.notRegex(again.text, /<script/);
  const script = await ask('/assets/copy.js');
  t.is(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
});

const acme = 'session=acme-cookie';
const path = '/settings/api-tokens';

const tokenIn = (text: string): string | null =>
  /<code id="token">(triage_[\w-]+)<\/code>/.exec(text)?.[1] ?? null;

const formValueIn = (text: string): string => /name="formValue" value="(\w+)"/.exec(text)?.[1] ?? '';

test('minting by form shows the token once, and a reload mints and shows nothing', async (t) => {
  const { ask } = await serveWeb(t);
  const show = () => ask(path, { headers: { Cookie: acme } });
  const formValue = formValueIn((await show()).text);
  t.not(formValue, '');
  const posted = form({ name: '<b>ci</b>', expiresInDays: '7', formValue }, { Cookie: acme });
  const shown = await ask(path, posted);
  t.deepEqual([shown.status, shown.headers.get('cache-control')], [200, 'no-store']);
  const token = tokenIn(shown.text) ?? '';
  t.is((await ask('/api/v1/prs', bearer(token))).status, 200);
  t.true(shown.text.includes('“<bdi>&#60;b&#62;ci&#60;/b&#62;</bdi>”'));

  const reloaded = await ask(path, posted);
  t.deepEqual([reloaded.status, reloaded.headers.get('location')], [303, path]);
  const again = await show();
  t.is(tokenIn(again.text), null);
  t.is(again.text.match(/&#60;b&#62;ci/g)?.length, 2, 'one token in the list');

  const next = form({ name: 'next', formValue: formValueIn(shown.text) }, { Cookie: acme });
  t.not(tokenIn((await ask(path, next)).text), null, 'the form beside a new token mints another one');
});
