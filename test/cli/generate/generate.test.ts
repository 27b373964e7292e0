import { exec } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
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
