import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import test from 'ava';
import { memory, opened } from '../demo/_demo.js';
import { directoryWith } from '../fixtures/_directory.js';
import { run } from './_cli.js';

test('what demo writes of a scenario, a moment and personas is what the worker opens', async (t) => {
  const folder = await directoryWith(t, {});
  const words = ['--scenario', 'acme', '--now', '2026-11-20T12:00:00Z', '--signup-persona', 'boundary'];
  t.is((await run(['demo', folder, ...words, '--force'])).code, 0);
  const [first = ''] = (await readFile(join(folder, 'triage-api-worker.js'), 'utf8')).split(';\n');
  const text: unknown = JSON.parse(first.replace('self.demoContent=', ''));
  const { json, post } = await opened(JSON.parse(String(text)), memory().store);
  t.is((await json('/__admin/clock')).now, '2026-11-20T12:00:00.000Z');
  t.is((await post('/login', { email: 'dana@acme.test', password: 'acme-password' })).status, 200);
  t.is(
    (await post('/signup', { persona: 'nope', email: 'a@b.test', password: 'plum violin rocket' })).status,
    400,
  );
});

const filesIn = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      names.map(async (name) => [name.slice(folder.length + 1), await readFile(name, 'utf8')] as const),
    ),
  );
};

test('demo writes the same bytes again, for everybody to read', async (t) => {
  const root = await directoryWith(t, {});
  const [one, other] = [join(root, 'one'), join(root, 'other')];
  t.is((await run(['demo', one])).code, 0);
  t.is((await run(['demo', other, '--signup-persona', 'acme'])).code, 0);
  t.is((await run(['demo', other, '--force'])).code, 0);
  const files = await filesIn(one);
  t.deepEqual(await filesIn(other), files);
  for (const name of [
    'index.html',
    '404.html',
    'triage-api-worker.js',
    'README.md',
    'explore/findings/index.html',
  ])
    t.true(files.has(name), name);
  t.is(files.get('README.md')?.trim().split('\n').length, 5);
  const [, policy = ''] =
    /Content-Security-Policy" content="([^"]*)"/.exec(files.get('404.html') ?? '') ?? [];
  t.regex(policy, /script-src 'sha256-[^']+';style-src 'sha256-/);
  t.notRegex(policy, /unsafe/);
  const visit = ['index.html', 'triage-api-worker.js'].map((name) => gzipSync(files.get(name) ?? '').length);
  const size = visit.reduce((sum, each) => sum + each, 0);
  t.true(size > 100_000 && size <= 260_000, `the first visit takes ${size} bytes`);
  t.is((await stat(join(one, 'docs/index.html'))).mode & 0o777, 0o644);
  t.is((await stat(join(one, 'docs'))).mode & 0o777, 0o755);
});

for (const [words, message] of [
  [['-f', 'nowhere'], /nowhere/],
  [['--scenario', 'nope'], /scenario: expected one of acme/],
  [['--signup-persona', 'nope'], /persona "nope": expected one of acme/],
] as const) {
  test(`demo refuses ${words.join(' ')}, and writes nothing`, async (t) => {
    const folder = join(await directoryWith(t, {}), 'demo');
    const { code, err } = await run(['demo', folder, ...words]);
    t.is(code, 1);
    t.regex(err, message);
    await t.throwsAsync(stat(folder));
  });
}
