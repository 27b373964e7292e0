import test, { type ExecutionContext } from 'ava';
import type { Persona } from '../../../src/accounts/demo-rows.js';
import { aRepo, aUser, dataset } from '../../_data.js';
import { cookie, testAccounts } from '../../_server.js';
import { ann, form, json, serveWeb, sessionOf } from './_browserless.js';

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

for (const [kind, request] of [
  ['JSON', json],
  ['a form', form],
] as const) {
  test(`signing up by ${kind} with a persona starts with its rows`, async (t) => {
    const { ask } = await serveWith(t, ['acme', 'boundary']);
    const session = sessionOf(await ask('/signup', request({ ...ann, persona: 'boundary' })));
    const { body } = await ask('/api/v1/repos', cookie(session));
    t.deepEqual(
      Object(body).map(({ repo, isDemoRow }: Record<string, unknown>) => [repo, isDemoRow]),
      [['of boundary', true]],
    );
  });
}

test('a persona that is not allowed is answered 400, with the allowed ones', async (t) => {
  const { ask } = await serveWith(t, ['acme', 'boundary']);
  const refused = await ask('/signup', json({ ...ann, persona: 'large' }));
  t.deepEqual(
    [refused.status, refused.body],
    [400, { error: 'persona: expected the name of a persona (acme, boundary), or nothing, got "large"' }],
  );
  const page = await ask('/signup', form({ ...ann, persona: '"><b>' }));
  t.is(page.status, 400);
  t.regex(
    page.text,
    /<select id="persona"[^>]* aria-describedby="persona-hint persona-problem" aria-invalid="true">/,
  );
  t.regex(
    page.text,
    /<p class="problem" id="persona-problem">Enter the name of a persona \(acme, boundary\), or nothing\.<\/p>/,
  );
  t.false(page.text.includes('<b>'));
  const twice = await ask('/signup', {
    ...form({}),
    body: 'name=A&email=a@b.test&persona=acme&persona=acme',
  });
  t.is(twice.status, 400);
});

test('the choice stays when another field is refused', async (t) => {
  const { ask } = await serveWith(t, ['acme', 'boundary']);
  const { text } = await ask('/signup', form({ ...ann, email: 'x', persona: 'boundary' }));
  t.deepEqual(text.match(/<option [^>]*selected>/g), ['<option value="boundary" selected>']);
});

test('the page has a labelled choice, at first of the usual rows; names are escaped', async (t) => {
  const { ask } = await serveWith(t, ['acme', '<i>&"']);
  const { text } = await ask('/signup');
  t.regex(text, /<label for="persona">Starting data<\/label>/);
  t.deepEqual(text.match(/<option [^>]*selected>/g), ['<option value="" selected>']);
  t.true(text.includes('>acme: 1 repository, 0 findings</option>'));
  t.true(text.includes('&#60;i&#62;&#38;&#34;: 1 repository') && !text.includes('<i>'));
});

test('where no persona is allowed, there is no choice, and the field is ignored', async (t) => {
  const { ask } = await serveWith(t, null);
  t.false((await ask('/signup')).text.includes('persona'));
  t.is((await ask('/signup', json({ ...ann, persona: 'large' }))).status, 200);
});
