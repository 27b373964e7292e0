import test, { type ExecutionContext } from 'ava';
import type { DemoAccount, DemoAccounts } from '../../src/accounts/demo-rows.js';
import { documentText } from '../_documented.js';
import { cookie } from '../_server.js';
import { form, json, serveWeb, sessionOf } from './_browserless.js';

const account = (id: string, over: Partial<DemoAccount> = {}): DemoAccount => ({
  id,
  email: `${id}@test.test`,
  name: id,
  password: null,
  purpose: `What ${id} is for.`,
  repos: 1,
  findings: 1234,
  openPrs: 0,
  ...over,
});

const demo = (over: Partial<DemoAccounts> = {}): DemoAccounts => {
  const shown = over.shown ?? [account('acme'), account('other')];
  return {
    shown,
    total: shown.length,
    find: (id) => shown.find((each) => each.id === id || each.email === id) ?? null,
    areShipped: false,
    ...over,
  };
};

const serveDemo = (t: ExecutionContext, over: Partial<DemoAccounts> = {}, more = {}) =>
  serveWeb(t, { demoAccounts: () => demo(over), ...more });

const oneClick = /<form method="post" action="\/login\/demo">/;

test('the start page and the login page have a card for each account: its name, or else its address, purpose, counts and one click', async (t) => {
  const { ask } = await serveDemo(t, {
    shown: [
      account('acme', { name: '<Dana>', password: 'p&w' }),
      ...['', ' \u{2003}', '\u{200b}\u{202e}'].map((name, i) => account(`unnamed-${i}`, { name })),
    ],
  });
  for (const path of ['/', '/login']) {
    const { text } = await ask(path);
    for (let i = 0; i < 3; i += 1)
      for (const part of ['<h3>', 'Log in as '])
        t.true(text.includes(`${part}<bdi>unnamed-${i}@test.test</bdi>`), `${path} ${i}`);
    t.is(text.match(new RegExp(oneClick, 'g'))?.length, 4, path);
    for (const part of [
      '&#60;Dana&#62;',
      'What acme is for.',
      '<strong>1</strong> repository<',
      '<strong>1,234</strong> findings',
      '<strong>0</strong> open pull requests',
      '<code>p&#38;w</code>',
    ]) {
      t.true(text.includes(part), `${path}: ${part}`);
    }
    t.notRegex(text, /<Dana>/);
  }
  const signedIn = (await ask('/', cookie('acme-cookie'))).text;
  t.is(signedIn.match(/Signed in now/g)?.length, 1);
  t.is(signedIn.match(new RegExp(oneClick, 'g'))?.length, 3);
});

test('a form without a field, or with two of a kind, says in words what to enter', async (t) => {
  const { ask } = await serveDemo(t);
  const account = /<li>Enter the id or the e-mail address of one demo account\.<\/li>/;
  for (const [path, body, sentence] of [
    ['/login/demo', '', account],
    ['/login/demo', 'account=acme&account=other', account],
    [
      '/login',
      '',
      /<a href="#email">E-mail<\/a>: Enter an e-mail address\..*"password-problem">Enter a password\./s,
    ],
  ] as const) {
    const { status, text } = await ask(path, { ...form({}), body });
    t.is(status, 400);
    t.regex(text, sentence);
  }
});

test('one click starts an ordinary session, keeps the return path, and ends the session before', async (t) => {
  const { ask } = await serveDemo(t);
  const { text } = await ask('/login?next=/explore/prs');
  t.is(text.match(/<input type="hidden" name="next" value="\/explore\/prs">/g)?.length, 3);
  const before = sessionOf(await ask('/login/demo', form({ account: 'other' })));
  const answer = await ask(
    '/login/demo',
    form({ account: 'acme', next: '/explore/prs' }, { Cookie: `session=${before}` }),
  );
  t.deepEqual([answer.status, answer.headers.get('location')], [303, '/explore/prs']);
  t.regex(
    answer.headers.get('set-cookie') ?? '',
    /^session=[^;]+; path=\/; max-age=604800; samesite=lax; httponly$/,
  );
  const session = sessionOf(answer);
  t.is((await ask('/api/v1/repos', cookie(session))).status, 200);
  t.is((await ask('/api/v1/repos', cookie(before))).status, 401);
  const current = Object((await ask('/session', cookie(session))).body);
  t.deepEqual([current.user.id, current.expiresAt], ['acme', '2026-11-27T12:00:00.000Z']);
});

test('a one-click login leads to the explorer from the start page, and to the start page without a return path', async (t) => {
  for (const [explorer, path] of [
    [true, '/explore'],
    [false, '/'],
  ] as const) {
    const { ask } = await serveDemo(t, {}, { explorer });
    const { text } = await ask('/');
    t.is(text.match(new RegExp(`name="next" value="${path}"`, 'g'))?.length, 2);
    for (const fields of [{ account: 'acme' }, { account: 'acme', next: '//evil.test' }])
      t.is((await ask('/login/demo', form(fields))).headers.get('location'), '/');
  }
});

test('the pages for login and sign-up need nothing that the documented proxies do not forward', async (t) => {
  const { ask } = await serveDemo(t, { total: 3 });
  const [, pattern = '$^'] = /^ *proxy: \{ '(.*)': /m.exec(documentText('testing.md')) ?? [];
  const signedIn = cookie('acme-cookie');
  for (const [path, init] of [
    ...['/login', '/login?next=/x', '/login?account=deleted', '/signup', '/signup?next=/x'].flatMap(
      (each) => [[each], [each, signedIn]] as const,
    ),
    ['/login', form({ email: 'acme@test.test', password: 'wrong' })],
    ['/login/demo', form({ account: 'nobody' })],
    ['/signup', form({ email: 'x' })],
  ] as const) {
    const { text } = await ask(path, init);
    const needed = Array.from(text.matchAll(/ (?:href|src|action)="(?!#|data:)(.*?)"/g), ([, to = '']) => to);
    t.true(needed.includes('/login/style.css'), path);
    for (const to of needed) t.true(to === '/' || new RegExp(pattern).test(to), `${path}: ${to}`);
  }
});

test('a one-click login by JSON is answered like a login', async (t) => {
  const { ask } = await serveDemo(t);
  const { status, body } = await ask('/login/demo', json({ account: 'acme@test.test' }));
  t.deepEqual([status, body], [200, { user: { id: 'acme', email: 'acme@test.test', name: 'acme' } }]);
  t.deepEqual((await ask('/login/demo', json({ account: 'nobody' }))).body, {
    error: 'No demo account with this name, id or e-mail address is open to you here',
  });
  t.is((await ask('/login/demo', json({}))).status, 400);
});

test('a demo account whose address belongs to somebody else by now, and one of a database, let nobody in', async (t) => {
  const gone = await serveDemo(t, { find: () => ({ id: 'gone', email: 'acme@test.test' }) });
  t.is((await gone.ask('/login/demo', json({ account: 'gone' }))).status, 404);
  const { ask } = await serveWeb(t, { mode: 'database' });
  t.notRegex((await ask('/')).text, /Demo accounts/);
  t.is((await ask('/login/demo', form({ account: 'acme' }))).status, 404);
});

test('the limit of logins holds for demo accounts', async (t) => {
  const { ask: limited } = await serveWeb(t, { demoAccounts: () => demo() }, { allLoginsPerAddress: 1 });
  t.is((await limited('/login/demo', form({ account: 'acme' }))).status, 303);
  const refused = await limited('/login/demo', form({ account: 'acme' }));
  t.is(refused.status, 429);
  t.regex(refused.headers.get('retry-after') ?? '', /^\d+$/);
  t.regex(refused.text, /role="alert">Too many attempts: try again in \d+ seconds\.</);
});

test('wrong passwords for an account from many networks do not block its one-click login', async (t) => {
  const settings = { demoAccounts: () => demo({ areShipped: true }), trustProxy: true };
  const { ask } = await serveWeb(t, settings, { loginsPerAccountAnywhere: 4 });
  const logIn = async (number: number, password: string) => {
    const from = { 'X-Forwarded-For': `192.0.2.${number}` };
    return (await ask('/login', json({ email: 'acme@test.test', password }, from))).status;
  };
  t.deepEqual([await logIn(1, 'x'), await logIn(2, 'x'), await logIn(3, 'x')], [401, 401, 401]);
  t.deepEqual([await logIn(4, 'x'), await logIn(5, 'secret')], [401, 429]);
  t.is((await ask('/login/demo', json({ account: 'acme' }))).status, 200);
});

/** Requests that may come from another machine, and servers that may be there for others. */
const fromElsewhere: readonly (readonly [what: string, settings: object, headers: Record<string, string>])[] =
  [
    ['a proxy has passed the request on', {}, { 'X-Forwarded-For': '203.0.113.7' }],
    ['a tunnel has passed the request on', {}, { 'Cf-Connecting-Ip': '203.0.113.7' }],
    ['a proxy is trusted', { trustProxy: true }, {}],
    ['hosts are named', { allowedHosts: ['demo.example.com'] }, {}],
    ['the server listens on every address', { host: '0.0.0.0' }, {}],
  ];

for (const [what, settings, headers] of fromElsewhere) {
  test(`own fixtures are not open to visitors if ${what}; those of the package are`, async (t) => {
    const own = await serveDemo(t, {}, settings);
    const get = { headers };
    for (const path of ['/', '/login'])
      t.notRegex((await own.ask(path, get)).text, /acme@test\.test|login\/demo/);
    const refused = await own.ask('/login/demo', form({ account: 'acme' }, headers));
    t.is(refused.status, 404);
    t.is(sessionOf(refused), '');

    const shown = await serveDemo(t, { shown: [account('acme', { password: 'shown' })] }, settings);
    const { text } = await shown.ask('/', get);
    t.true(text.includes('<code>shown</code>'), 'with --show-passwords');
    t.notRegex(text, oneClick);
    t.is((await shown.ask('/login/demo', form({ account: 'acme' }, headers))).status, 404);

    const shipped = await serveDemo(t, { areShipped: true }, settings);
    t.regex((await shipped.ask('/', get)).text, oneClick);
    t.is((await shipped.ask('/login/demo', form({ account: 'acme' }, headers))).status, 303);
  });
}

test('an account that a visitor has signed up for is never open to others', async (t) => {
  const { ask } = await serveDemo(t, { areShipped: true });
  const ann = { email: 'ann@new.test', name: 'Ann', password: 'correct horse' };
  const { id } = Object(Object((await ask('/signup', json(ann))).body).user);
  for (const given of [id, ann.email]) {
    t.is((await ask('/login/demo', json({ account: given }))).status, 404, given);
  }
});

test('of many accounts a page shows some, says how many there are, and logs in to any other', async (t) => {
  const { ask } = await serveDemo(t, {
    shown: [account('acme')],
    total: 10_000,
    find: (id) => (id === 'other' ? { id: 'other', email: 'other@test.test' } : null),
  });
  const { text } = await ask('/');
  t.true(text.includes('9,999 other tenants are served.'));
  t.regex(text, /<input id="account" name="account"/);
  t.is((await ask('/login/demo', form({ account: 'other' }))).status, 303);
  const page = await ask('/login/demo', form({ account: 'nobody', next: '/explore' }));
  t.is(page.status, 404);
  t.true(page.text.includes('No demo account with this name, id or e-mail address is open to you here.'));
  t.true(page.text.includes('name="next" value="/explore"'));
});

test('the explorer switches tenants on the same page with its filters, and copies a session, where logins are open', async (t) => {
  const find = (id: string) =>
    id.startsWith('acme') ? { id: 'acme', email: 'acme@test.test', session: 'a-public-session' } : null;
  for (const [isOpen, more] of [
    [true, {}],
    [false, { trustProxy: true }],
  ] as const) {
    const { ask } = await serveDemo(t, { find }, more);
    const view = async (path: string) => (await ask(path, cookie('acme-cookie'))).text;
    const list = await view('/explore/findings?severity=high');
    const action = '<form class="switch" method="post" action="/login/demo">';
    t.is(
      list.includes(`${action}<input type="hidden" name="next" value="/explore/findings?severity=high">`),
      isOpen,
    );
    t.is(list.includes('<option value="acme" selected>acme</option>'), isOpen);
    t.is(list.includes('curl -b &#39;session=a-public-session&#39;'), isOpen);
    t.is((await view('/explore/findings/d1')).includes('name="next" value="/explore/findings"'), isOpen);
    const other = (await ask('/explore/findings', cookie('other-cookie'))).text;
    t.notRegex(other, /a-public-session|class="switch"/);
  }
});
