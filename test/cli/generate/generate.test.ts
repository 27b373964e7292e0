import { exec } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import * as program from '../../../src/cli/program.js';
import { blocks, documentText } from '../../_documented.js';
import { bearer, cookie } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { json } from '../../pages/_browserless.js';
import { listen, run } from '../_cli.js';
import { aTerminal } from '../terminal/_terminal.js';

const small = ['--findings', '60', '--repos', '9', '--prs', '30'];

test('what is generated passes check, and is served to those who have what was printed', async (t) => {
  const directory = join(await directoryWith(t, {}), 'new', 'data');
  const words = [...small, '--tenants', '2', '--seed', '7'];
  const { code, out, err } = await run(['generate', directory, ...words]);
  t.deepEqual([code, err], [0, '']);
  t.deepEqual(await readdir(directory), ['realistic-7-1.json', 'realistic-7-2.json']);
  t.is((await stat(join(directory, 'realistic-7-1.json'))).mode & 0o777, 0o600);

  const checked = await run(['check', directory]);
  t.is(checked.code, 0, checked.err);
  const summaries = out.split('\n').filter((line) => line.startsWith(directory));
  t.is(checked.out, `${summaries.join('\n')}\n2 tenants, no problems\n`);
  t.regex(
    summaries[0] ?? '',
    /: 9 repos, \d+ scans, 60 fix drafts, 30 pull requests, 1 session, 1 API token$/,
  );
  t.true(out.endsWith(`serve --fixtures ${directory}\n`), out);

  const { url } = await listen(t, ['--log-level', 'silent', '--fixtures', directory]);
  const printed = Array.from(
    out.matchAll(/: (\S+@\S+): [^\n]*\n {2}password: (\S+), session cookie: (\S+), bearer token: (\S+)$/gm),
  );
  t.is(printed.length, 2);
  for (const [, email = '', password = '', session = '', token = ''] of printed) {
    t.is((await fetch(`${url}/login`, json({ email, password }))).status, 200);
    const { items } = Object(await (await fetch(`${url}/api/v1/findings?limit=100`, cookie(session))).json());
    t.is(items.length, 60);
    for (const { id } of items) {
      const finding = await fetch(`${url}/api/v1/findings/${encodeURIComponent(id)}`, bearer(token));
      t.is(Object(await finding.json()).id, id);
    }
  }
});

test('the defaults generate one realistic tenant, the same each time', async (t) => {
  const texts = [];
  for (const _ of [1, 2]) {
    const directory = await directoryWith(t, {});
    const { code, out } = await run(['generate', directory]);
    t.is(code, 0);
    t.regex(
      out,
      /realistic-1-1\.json: user@realistic-1-1\.test: 20 repos, \d+ scans, 500 fix drafts, 125 pull/,
    );
    texts.push(await readFile(join(directory, 'realistic-1-1.json'), 'utf8'));
  }
  t.is(texts[0], texts[1]);
  t.is(JSON.parse(texts[0] ?? '').asOf, '2026-11-20T12:00:00.000Z');
});

test('existing files are overwritten only with --force, and others never', async (t) => {
  const directory = await directoryWith(t, { 'realistic-7-2.json': 'mine', 'other.json': 'mine, too' });
  const words = ['generate', directory, ...small, '--seed', '7', '--tenants', '3'];
  t.deepEqual(await run(words), {
    code: 1,
    out: '',
    err: `${directory}/realistic-7-2.json already exists; pass --force to overwrite it\n`,
  });
  t.deepEqual(await readdir(directory), ['other.json', 'realistic-7-2.json']);
  t.is(await readFile(join(directory, 'realistic-7-2.json'), 'utf8'), 'mine');
  t.is((await run([...words, '--force'])).code, 0);
  t.deepEqual(await readdir(directory), [
    'other.json',
    'realistic-7-1.json',
    'realistic-7-2.json',
    'realistic-7-3.json',
  ]);
  t.is(await readFile(join(directory, 'other.json'), 'utf8'), 'mine, too');
  t.not(await readFile(join(directory, 'realistic-7-2.json'), 'utf8'), 'mine');
});

test('generate leaves no files behind when it is interrupted', async (t) => {
  const parent = await directoryWith(t, {});
  const { fake, lines } = aTerminal(false);
  const terminal = { ...fake, onSignal: () => Promise.resolve('SIGINT') };
  const words = ['generate', join(parent, 'new', 'data'), '--findings', '3000', '--tenants', '3'];
  t.is(await program.run(words, {}, terminal, '0.0.0'), 1);
  t.deepEqual(lines, ['interrupted', 'nothing was written']);
  t.deepEqual(await readdir(parent), []);
});

test('what the page on fixtures shows of generate and init is what happens', async (t) => {
  const page = documentText('fixtures.md');
  // Below the package, as its clone is for those who follow the page.
  const directory = join('build', `documents-generate-${process.pid}`);
  await mkdir(directory);
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const shown = blocks(page, 'console').filter((each) => / (?:generate|init) /.test(each));
  t.is(shown.length, 2);
  for (const each of shown) {
    const [command = '', ...output] = each.split('\n');
    const words = command.replace(/^\$ node bin/, 'node ../../bin');
    const { stdout, stderr } = await promisify(exec)(words, { cwd: directory });
    t.deepEqual([stdout.replaceAll('../../bin', 'bin'), stderr], [output.join('\n'), ''], command);
  }
});
