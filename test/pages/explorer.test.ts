import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../_data.js';
import { blocks, documentText } from '../_documented.js';
import { serve } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { started } from '../testing/_start.js';
import { browser, foreignScript, serveWorld, textOf } from './_explore.js';

const paths = [
  '/explore',
  '/explore/repos',
  '/explore/findings?page=2',
  '/explore/findings/d1',
  '/explore/prs',
];

test('a page without a valid session leads a browser to the login page and back, and gives another client a 401', async (t) => {
  const { ask } = await serveWorld(t);
  for (const path of paths)
    for (const session of ['unknown', 'acme-expired']) {
      const answer = await ask(path, browser(session));
      t.is(answer.status, 303, path);
      t.is(answer.headers.get('location'), `/login?next=${encodeURIComponent(path)}`);
    }
  const token = { headers: { Authorization: 'Bearer acme-token' }, redirect: 'manual' } as const;
  t.is((await ask('/explore', token)).status, 303);
  const answer = await ask('/explore', { headers: { Accept: 'application/json' } });
  t.deepEqual([answer.status, answer.body], [401, { error: 'Unauthorized' }]);
  t.truthy(answer.headers.get('www-authenticate'));
});

test('a page shows neither secrets nor anything of other tenants, even where ids are the same', async (t) => {
  const { ask } = await serveWorld(t);
  for (const path of paths) {
    const { status, text } = await ask(path, browser('acme-cookie'));
    t.is(status, 200, path);
    t.notRegex(text, /acme-cookie|acme-token|others-|secret-repo/, path);
  }
  const foreign = await ask('/explore/findings/others-draft', browser('acme-cookie'));
  t.is(foreign.status, 404);
  t.regex(foreign.text, /finding not found/);
  t.regex((await ask('/explore/findings/d1', browser('other-cookie'))).text, /others-package/);
});

test('pages may run no script but that of the explorer, are not cached, and answer GET and HEAD only', async (t) => {
  const { ask } = await serveWorld(t);
  for (const path of paths) {
    const { headers, text } = await ask(path, browser('acme-cookie'));
    t.regex(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none';style-src 'self';.*;script-src 'self';connect-src 'self'$/,
    );
    t.is(headers.get('cache-control'), 'no-store');
    t.notRegex(text, foreignScript);
    t.notRegex(text, / style=| on[a-z]+="/);
    t.is((await ask(path, { ...browser('acme-cookie'), method: 'HEAD' })).status, 200);
    const posted = await ask(path, { ...browser('acme-cookie'), method: 'POST' });
    t.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
  }
  t.regex((await ask('/assets/explore.css')).headers.get('content-type') ?? '', /^text\/css/);
});

test('without the explorer, its paths are unknown and nothing leads there', async (t) => {
  const { ask } = await serveWorld(t, { explorer: false });
  for (const path of [...paths, '/explore/changes', '/assets/explore.css', '/assets/explore.js']) {
    t.is((await ask(path, browser('acme-cookie'))).status, 404, path);
  }
  for (const path of ['/', '/settings/api-tokens', '/docs', '/login']) {
    t.notRegex((await ask(path, browser('acme-cookie'))).text, /\/explore/, path);
  }
});

const good = aStorage([acme]);
const unavailable = async () =>
  E.left({ _tag: 'StorageUnavailable' as const, cause: new Error('connect ECONNREFUSED 10.0.0.1') });

test('while the storage cannot be reached, or cannot tell who is signed in, pages are 503 and lead to another try', async (t) => {
  const rows = { repos: unavailable, findings: unavailable, finding: unavailable, prs: unavailable };
  for (const broken of [rows, { caller: unavailable, user: unavailable }]) {
    const { ask } = await serve(t, [], { storage: { ...good, ...broken } });
    for (const path of paths) {
      const { status, headers, text } = await ask(path, browser('acme-cookie'));
      t.is(status, 503, path);
      t.is(headers.get('retry-after'), '1');
      t.regex(textOf(text), /503\s+Service unavailable/);
      t.true(text.includes(`href="${path}">Try again`));
      t.notRegex(text, /ECONNREFUSED|10\.0\.0\.1/);
    }
  }
});

test('findings are shown without the names of repositories when these cannot be read', async (t) => {
  const { ask } = await serve(t, [], { storage: { ...good, repos: unavailable } });
  for (const path of ['/explore/findings', '/explore/findings/d1', '/explore/prs']) {
    const { status, text } = await ask(path, browser('acme-cookie'));
    t.is(status, 200, path);
    t.regex(text, /href="\/explore\/(?:findings|prs)\?repoId=web"/);
  }
});

test('a strict server refuses unknown parameters on pages as in the API', async (t) => {
  const { ask } = await serveWorld(t, { strict: true });
  for (const path of ['/findings?x=1', '/repos?x=1', '/findings/d1?x=1', '/prs?stauts=open']) {
    const { body } = await ask(`/api/v1${path}`, browser('acme-cookie'));
    const { status, text } = await ask(`/explore${path}`, browser('acme-cookie'));
    t.is(status, 400, path);
    t.true(textOf(text).includes(Object(body).error));
  }
});

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const tenant = (repos: number, findings: number) =>
  dataset({
    user: aUser('big'),
    sessions: [aSession('big-cookie')],
    repos: numbers(repos).map((n) => aRepo(`r${n}`)),
    fixDrafts: numbers(findings).map((n) => aDraft(`d${n}`, 'r0', { advisoryId: `GHSA-${n}` })),
    pullRequests: numbers(findings).map((n) => aPullRequest(`p${n}`, 'd7')),
  });

test('the overview counts the first 10,000 rows of a list and says so', async (t) => {
  const storage = aStorage([tenant(1, 10_050)]);
  const offsets: number[] = [];
  const { ask } = await serve(t, [], {
    storage: {
      ...storage,
      findings: (credentials, range) => {
        offsets.push(range.offset);
        return storage.findings(credentials, range);
      },
    },
  });
  const text = textOf((await ask('/explore', browser('big-cookie'))).text).replaceAll(/\s+/g, ' ');
  t.regex(text, /10,000 Open findings of 10,050 findings: .* Only the first 10,000 of 10,050 were counted/);
  t.regex(text, /10,050 Open pull requests/);
  t.deepEqual(
    offsets,
    numbers(100).map((page) => page * 100),
  );
});

test('the page of a finding looks for its pull requests among the newest 2,000, and says so', async (t) => {
  const { ask } = await serve(t, [tenant(1, 2500)]);
  const text = textOf((await ask('/explore/findings/d7', browser('big-cookie'))).text);
  t.regex(text, /Of 2,500 pull requests of the repository, only the newest 2,000 were looked\s+through/);
});

test('of a long list of repositories the first 500 are shown', async (t) => {
  const { ask } = await serve(t, [tenant(510, 1)]);
  const { text } = await ask('/explore/repos', browser('big-cookie'));
  t.is(text.match(/<span class="key">defaultBranch<\/span>/g)?.length, 500);
  t.regex(textOf(text), /This page shows the first 500/);
  t.regex(textOf(text), /The first 500 of 510 items/);
});

test('a repository is chosen from a list if there are few, and entered by id if there are many', async (t) => {
  const few = await serve(t, [tenant(200, 1)]);
  const many = await serve(t, [tenant(201, 1)]);
  const chosen = (await few.ask('/explore/findings', browser('big-cookie'))).text;
  t.regex(
    chosen,
    /<select id="repoId" name="repoId" required aria-invalid="false"><option value="" selected>/,
  );
  t.regex((await many.ask('/explore/findings', browser('big-cookie'))).text, /<input id="repoId"/);
});

test('the requests of the explorer that docs/fixtures.md shows are answered as it says', async (t) => {
  const { url } = await started(t);
  const lines = blocks(documentText('fixtures.md'), 'console')
    .filter((block) => block.startsWith('$ curl -si'))
    .flatMap((block) => block.trim().split('\n'));
  t.is(lines.length, 4);
  for (const [index, line] of lines.entries()) {
    const [, , header = '', path] =
      /^\$ curl -si (-H '(.*?)' )?'http:\/\/127\.0\.0\.1:4000(.*?)'/.exec(line) ?? [];
    if (path === undefined) continue;
    const [name = 'Accept', value = '*/*'] = header === '' ? [] : header.split(': ');
    const answer = await fetch(`${url}${path}`, { headers: { [name]: value }, redirect: 'manual' });
    const shown = [
      `HTTP/1.1 ${answer.status} ${answer.statusText}`,
      `Location: ${answer.headers.get('location')}`,
    ];
    t.true(shown.includes(lines[index + 1] ?? ''), shown.join(' / '));
  }
});
