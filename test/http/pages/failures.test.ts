import test from 'ava';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { serve } from '../../_server.js';
import { aStorage } from '../../_storage.js';
import { acme } from '../_world.js';
import { browser, serveWorld, textOf } from './_explore.js';

const good = aStorage([acme]);
const unavailable = () =>
  TE.left({ _tag: 'StorageUnavailable' as const, cause: new Error('connect ECONNREFUSED 10.0.0.1') });

test('a storage that cannot be reached gets a page with status 503 that leads to another try', async (t) => {
  const { ask } = await serve(t, [], {
    storage: { ...good, repos: unavailable, findings: unavailable, finding: unavailable, prs: unavailable },
  });
  for (const path of [
    '/explore',
    '/explore/repos',
    '/explore/findings?page=2',
    '/explore/findings/d1',
    '/explore/prs',
  ]) {
    const { status, headers, text } = await ask(path, browser('acme-cookie'));
    t.is(status, 503, path);
    t.is(headers.get('retry-after'), '1');
    t.regex(textOf(text), /503\s+Service unavailable/);
    t.true(text.includes(`href="${path}">Try again`));
    t.notRegex(text, /ECONNREFUSED|10\.0\.0\.1/);
  }
});

test('so does one that cannot tell who is signed in', async (t) => {
  const { ask } = await serve(t, [], { storage: { ...good, caller: unavailable, user: unavailable } });
  const { status, text } = await ask('/explore/prs', browser('acme-cookie'));
  t.is(status, 503);
  t.regex(text, /Try again/);
});

test('a storage that throws gets a page with status 500, and only the log knows why', async (t) => {
  const { ask, logged } = await serve(t, [], {
    storage: {
      ...good,
      prs: () => {
        throw new Error('a secret detail');
      },
    },
  });
  for (const path of ['/explore', '/explore/prs']) {
    const { status, text } = await ask(path, browser('acme-cookie'));
    t.is(status, 500);
    t.regex(textOf(text), /500\s+Internal server error/);
    t.notRegex(text, /secret detail/);
  }
  t.true(logged.some(({ facts }) => facts.operation === 'listPrs'));
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
  t.is((await ask('/explore/repos?part=1', browser('acme-cookie'))).status, 200);
});
