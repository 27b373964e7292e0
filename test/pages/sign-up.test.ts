import test, { type ExecutionContext } from 'ava';
import type { Persona } from '../../src/accounts/demo-rows.js';
import { aRepo, aUser, dataset } from '../_data.js';
import { cookie, testAccounts } from '../_server.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

test('signing up by JSON returns the user, sets a cookie, and creates demo rows with new ids that no other account sees', async (t) => {
  const { ask } = await serveWeb(t);
  const answer = await ask('/signup', json(ann));
  t.is(answer.status, 200);
  const { user } = Object(answer.body);
  t.deepEqual(answer.body, { user: { id: user.id, email: 'ann@new.test', name: 'Ann' } });
  t.regex(
    answer.headers.get('set-cookie') ?? '',
    /^session=[\w-]{43}; path=\/; max-age=604800; samesite=lax; httponly$/,
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

test('signing up by form redirects to the start page, and ends the session that the request came with', async (t) => {
  const { ask } = await serveWeb(t);
  const first = await ask('/signup', form({ ...ann, name: ' Ann ' }));
  t.deepEqual([first.status, first.headers.get('location')], [303, '/']);
  t.like((await ask('/session', cookie(sessionOf(first)))).body, { user: { name: 'Ann' } });
  t.is((await ask('/api/v1/repos', cookie(sessionOf(first)))).status, 200);
  await ask('/signup', form({ ...ann, email: 'bob@new.test' }, { Cookie: `session=${sessionOf(first)}` }));
  t.is((await ask('/api/v1/repos', cookie(sessionOf(first)))).status, 401);
});

const refused: readonly (readonly [
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
    'a common password',
    { ...ann, password: 'Password123' },
    400,
    'password: expected a password of 10 to 200 characters that is neither a common one nor your name or address, got other text',
  ],
];

for (const [what, fields, status, error] of refused) {
  test(`signing up with ${what} is answered ${status}, and the page keeps the address, not the password`, async (t) => {
    const { ask } = await serveWeb(t);
    const answer = await ask('/signup', json(fields));
    t.deepEqual([answer.status, answer.body], [status, { error }]);
    t.is(answer.headers.get('set-cookie'), null);
    const page = await ask('/signup', form(fields));
    t.is(page.status, status);
    const alert = status === 400 ? 'Please correct these fields.' : `${error}.`;
    t.true(page.text.includes(`role="alert">${status === 400 ? '<p>' : ''}${alert}</p>`));
    t.is(page.text.includes('aria-invalid="true"'), status === 400);
    t.true(page.text.includes('<title>Error: Sign up · triage-api</title>'));
    const first = status === 400 ? /<input id="password"[^>]* autofocus/ : /autofocus role="alert"/;
    t.regex(page.text, first);
    t.is(page.text.match(/ autofocus/g)?.length, 1);
    t.true(page.text.includes(`value="${fields.email}"`));
    t.false(page.text.includes(fields.password ?? ''));
  });
}

test('the sign-up page has empty fields, also after a form without any or with fields that are no text', async (t) => {
  const { ask } = await serveWeb(t);
  const fresh = await ask('/signup');
  t.notRegex(fresh.text, /role="alert"/);
  for (const { text } of [
    fresh,
    await ask('/signup', form({})),
    await ask('/signup', form({ 'name[a]': 'b', 'email[a]': 'b' })),
  ])
    t.deepEqual(
      Array.from(text.matchAll(/ value="(.*?)"/g), ([, value]) => value),
      ['', ''],
    );
});

const persona = (name: string): Persona => ({
  name,
  repos: 1,
  findings: 0,
  rows: () => dataset({ user: aUser(name), repos: [aRepo('r', { repo: `of ${name}` })] }),
});

const serveWith = (t: ExecutionContext, names: readonly string[] | null) =>
  serveWeb(t, {
    accounts: { ...testAccounts, personas: () => names?.map(persona) ?? null },
  });

test('signing up with a persona starts with its rows, by JSON and by a form', async (t) => {
  const { ask } = await serveWith(t, ['acme', 'boundary']);
  const fields = { ...ann, persona: 'boundary' };
  for (const init of [json(fields), form({ ...fields, email: 'bob@new.test' })]) {
    const { body } = await ask('/api/v1/repos', cookie(sessionOf(await ask('/signup', init))));
    t.like(body, [{ repo: 'of boundary', isDemoRow: true }]);
  }
});

test('a persona that is not allowed is answered 400, with the allowed ones', async (t) => {
  const { ask } = await serveWith(t, ['acme', 'boundary']);
  for (const name of ['large', 'ACME', ['acme'], {}, 1, true, '__proto__']) {
    const { status, text } = await ask('/signup', json({ ...ann, name: '', persona: name }));
    t.is(status, 400);
    t.regex(text, /name: .*persona: expected the name of a persona \(acme, boundary\), or nothing, got /);
  }
  const page = await ask('/signup', form({ ...ann, persona: '"><b>' }));
  t.is(page.status, 400);
  for (const part of [
    '<select id="persona"[^>]* aria-describedby="persona-hint persona-problem" aria-invalid="true" autofocus>',
    '<p class="problem" id="persona-problem">Enter the name of a persona \\(acme, boundary\\), or nothing\\.</p>',
  ])
    t.regex(page.text, RegExp(part));
  t.false(page.text.includes('<b>'));
  const body = 'name=A&email=a@b.test&persona=acme&persona=acme';
  t.is((await ask('/signup', { ...form({}), body })).status, 400);
  const without = await serveWith(t, []);
  t.is((await without.ask('/signup', json({ ...ann, persona: 'acme' }))).status, 400);
  t.is((await without.ask('/signup', json({ ...ann, persona: '' }))).status, 200);
});

test('the sign-up page offers the personas with their counts, escaped; a choice stays when another field is refused', async (t) => {
  const { ask } = await serveWith(t, ['acme', '<i>&"']);
  const { text } = await ask('/signup');
  t.regex(text, /<label for="persona">Starting data<\/label>/);
  t.true(text.includes('>acme: 1 repository, 0 findings</option>'));
  t.true(text.includes('&#60;i&#62;&#38;&#34;: 1 repository') && !text.includes('<i>'));
  const chosen = await ask('/signup', form({ ...ann, email: 'x', persona: 'acme' }));
  for (const [page, value] of [
    [text, ''],
    [chosen.text, 'acme'],
  ] as const)
    t.deepEqual(page.match(/<option [^>]*selected>/g), [`<option value="${value}" selected>`]);
});

test('where no persona is allowed, there is no choice, and the field is ignored', async (t) => {
  const { ask } = await serveWith(t, null);
  t.false((await ask('/signup')).text.includes('persona'));
  t.is((await ask('/signup', json({ ...ann, persona: 'large' }))).status, 200);
});
