import test from 'ava';
import { cookie } from '../../_server.js';
import { serveWeb } from './_browserless.js';

test('without a session, the API tokens page redirects to the login, and the start page links to it', async (t) => {
  const { ask } = await serveWeb(t);
  const answer = await ask('/settings/api-tokens', { redirect: 'manual', headers: { Accept: 'text/html' } });
  t.deepEqual([answer.status, answer.headers.get('location')], [303, '/login?next=%2Fsettings%2Fapi-tokens']);
  t.regex((await ask('/')).text, /href="\/login"/);
  t.true(
    (await ask('/', cookie('acme-cookie'))).text.includes(
      'You are signed in as <bdi>acme</bdi> (<bdi>acme@test.test</bdi>)',
    ),
  );
});

test('the start page shows the mode, the endpoints and the demo accounts, escaped', async (t) => {
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
