import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { schemaPathFrom } from '../../src/cli/output/text.js';
import { cookie } from '../_server.js';
import { directoryWith } from '../fixtures/_directory.js';
import { json } from '../pages/_browserless.js';
import { listen, run } from './_cli.js';

/** A directory below the working directory, as that of a project is. */
const inProject = async (t: ExecutionContext): Promise<string> => {
  const directory = join('build', `init ${process.pid} ${t.title.length}`);
  await mkdir(directory, { recursive: true });
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'fixtures');
};

test('what init writes passes check, and is served; the commands that it prints work when pasted', async (t) => {
  const directory = await inProject(t);
  const { code, out, err } = await run(['init', directory]);
  t.deepEqual([code, err], [0, '']);
  t.deepEqual(await readdir(directory), ['README.md', 'team.json']);
  const lines = out.split('\n').map((line) => line.trim());

  const check = lines.find((line) => line.includes(' check ')) ?? '';
  const checked = await promisify(execFile)('sh', ['-c', check]);
  t.regex(
    checked.stdout,
    /team\.json: user@team\.test: 2 repos, .* 4 fix drafts, 2 pull requests, 1 session, 1 API/,
  );

  t.true(lines.includes(`node bin/triage-api.js serve --fixtures '${directory}'`), out);
  const { url } = await listen(t, ['--log-level', 'silent', '--fixtures', directory]);
  const [, header = '', path = ''] =
    /^curl -H 'Authorization: (.*)' http:\/\/127\.0\.0\.1:4000(\S+)$/m.exec(lines.join('\n')) ?? [];
  const prs = await fetch(`${url}${path}`, { headers: { Authorization: header } });
  t.is(Object(await prs.json()).totalItems, 2);

  const readme = await readFile(join(directory, 'README.md'), 'utf8');
  t.true(readme.trimEnd().split('\n').length <= 12);
  const spans = Array.from(readme.matchAll(/\x60([^\x60]*)\x60/g), ([, span = '']) => span);
  const cookieHeader = spans.find((span) => span.startsWith('Cookie: session=')) ?? '';
  const session = cookieHeader.slice('Cookie: session='.length);
  t.is((await fetch(`${url}/api/v1/repos`, cookie(session))).status, 200);
  const email = spans.find((span) => span.includes('@'));
  const password = spans.find((span) => span.endsWith('-password'));
  t.is((await fetch(`${url}/login`, json({ email, password }))).status, 200);
  const checks = spans.filter((span) => span.includes(' check '));
  t.is(checks.length, 2);
  for (const each of checks) await t.notThrowsAsync(promisify(execFile)('sh', ['-c', each]), each);
});

test('outside of a project, the schema is copied beside the fixture', async (t) => {
  const directory = await directoryWith(t, {});
  const { code, out } = await run(['init', directory]);
  t.is(code, 0);
  t.deepEqual(await readdir(directory), ['README.md', 'schema', 'team.json']);
  t.true(out.includes(`wrote ${directory}/schema/fixture.schema.json\n`));
  const { $schema } = JSON.parse(await readFile(join(directory, 'team.json'), 'utf8'));
  t.is(
    await readFile(resolve(directory, $schema), 'utf8'),
    await readFile('schema/fixture.schema.json', 'utf8'),
  );
  t.is((await run(['check', directory])).code, 0);
});

test('a directory that has *.json files is refused without --force', async (t) => {
  const directory = await directoryWith(t, { 'package.json': '{}' });
  t.deepEqual(await run(['init', directory]), {
    code: 1,
    out: '',
    err: `${directory} already has package.json, and every *.json file is read as a tenant; choose another directory, or pass --force\n`,
  });
  t.deepEqual(await readdir(directory), ['package.json']);
  t.is((await run(['init', directory], { TRIAGE_FORCE: 'true' })).code, 0);
});

test('a package in the project of the directory is referred to by a path, and no other one', async (t) => {
  const project = await directoryWith(t, {});
  const schemaIn = async (folder: string): Promise<string> => {
    await mkdir(join(project, folder), { recursive: true });
    const schema = join(project, folder, 'fixture.schema.json');
    await writeFile(schema, '{}');
    return schema;
  };
  const installed = await schemaIn('node_modules/triage-api/schema');
  const reference = '../../node_modules/triage-api/schema/fixture.schema.json';
  t.is(schemaPathFrom(join(project, 'mocks', 'api'), installed), reference);
  const directory = join(project, 'mocks');
  for (const schema of [
    await schemaIn('.npm/_npx/1/node_modules/triage-api/schema'),
    await schemaIn('global/node_modules/triage-api/schema'),
    await schemaIn('clone/schema'),
  ])
    t.is(schemaPathFrom(directory, schema), null);
});
