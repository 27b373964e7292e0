import test from 'ava';
import { bearer } from '../../_server.js';
import { form, serveWeb } from './_browserless.js';

const acme = 'session=acme-cookie';
const path = '/settings/api-tokens';

/** The cookie `minted` that an answer sets, with its attributes. */
const mintedIn = ({ headers }: Readonly<{ headers: Headers }>): string =>
  headers.getSetCookie().find((line) => line.startsWith('minted=')) ?? '';

const pair = (line: string): string => line.split(';')[0] ?? '';

const tokenIn = (text: string): string | null =>
  /<code id="token">(triage_[\w-]+)<\/code>/.exec(text)?.[1] ?? null;

test('minting by form redirects; the page shows the token once, and a reload mints and shows nothing', async (t) => {
  const { ask } = await serveWeb(t);
  const posted = await ask(path, form({ name: '<b>ci</b>', expiresInDays: '7' }, { Cookie: acme }));
  t.deepEqual([posted.status, posted.headers.get('location')], [303, path]);
  const carried = mintedIn(posted);
  t.regex(carried, /; path=\/settings\/api-tokens; expires=.*; samesite=strict; httponly$/);
  t.regex(posted.headers.get('location') ?? '', /^[^?]*$/);

  const shown = await ask(path, { headers: { Cookie: `${acme}; ${pair(carried)}` } });
  const token = tokenIn(shown.text) ?? '';
  t.is((await ask('/api/v1/prs', bearer(token))).status, 200);
  t.true(shown.text.includes('“<bdi>&#60;b&#62;ci&#60;/b&#62;</bdi>”'));
  t.regex(mintedIn(shown), /^minted=; path=\/settings\/api-tokens; expires=Thu, 01 Jan 1970/);

  const again = await ask(path, { headers: { Cookie: acme } });
  t.is(tokenIn(again.text), null);
  t.is(again.text.match(/&#60;b&#62;ci/g)?.length, 2, 'one token in the list');
});

test('over HTTPS, the cookie of a new token is Secure', async (t) => {
  const { ask } = await serveWeb(t, { trustProxy: true });
  const headers = { Cookie: acme, 'X-Forwarded-Proto': 'https' };
  t.regex(mintedIn(await ask(path, form({ name: 'ci' }, headers))), /; secure; httponly$/);
});

test('a new token is shown in the session that minted it, and in no other', async (t) => {
  const { ask } = await serveWeb(t);
  const carried = pair(mintedIn(await ask(path, form({ name: 'ci' }, { Cookie: acme }))));
  const show = async (cookies: string) => {
    const answer = await ask(path, { redirect: 'manual', headers: { Cookie: cookies } });
    return tokenIn(answer.text);
  };
  t.is(await show(`session=other-cookie; ${carried}`), null);
  t.is(await show(carried), null);
  for (const planted of [
    carried.replace(/triage_.../, 'triage_AAA'),
    carried.replace(/\.[^.]*\./, '.YQ.'),
    carried.slice(0, -1),
    carried.replace(/\.[^.]*$/, ''),
    'minted=..',
    'minted=triage_x.YQ.',
  ]) {
    t.is(await show(`${acme}; ${planted}`), null, planted);
  }
  t.not(await show(`${acme}; ${carried}`), null);
});

test('neither JSON nor HEAD takes the new token', async (t) => {
  const { ask } = await serveWeb(t);
  const carried = pair(mintedIn(await ask(path, form({ name: 'ci' }, { Cookie: acme }))));
  const Cookie = `${acme}; ${carried}`;
  const asJson = await ask(path, { headers: { Cookie, Accept: 'application/json' } });
  t.false(asJson.text.includes(carried.slice('minted='.length).split('.')[0] ?? ''));
  t.is(mintedIn(asJson), '');
  t.is(mintedIn(await ask(path, { method: 'HEAD', headers: { Cookie } })), '');
});
