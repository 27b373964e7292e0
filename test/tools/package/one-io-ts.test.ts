import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { node, packed, run, typeProblems } from '../../_package.js';
import { directoryWith } from '../../fixtures/_directory.js';

/** What a consumer may have installed. The first row has the oldest versions that package.json accepts. */
const versions = [
  { 'fp-ts': '2.16.0', 'io-ts': '2.2.0' },
  { 'fp-ts': '2.16.5', 'io-ts': '2.2.20' },
  { 'fp-ts': '2.13.1', 'io-ts': '2.2.21' },
];

const script = `
import * as t from 'io-ts';
import { decode, Finding, Severity } from 'triage-api/contract';
const Ours = t.type({ severities: t.array(Severity) });
console.log(Finding instanceof t.Type, decode(Ours, { severities: ['high'] })._tag, decode(Ours, { severities: [1] })._tag);
`;

const consumer = `
import type { Either } from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { decode, Finding, Repo, RepoList, type Problem } from 'triage-api/contract';

const Ours: t.Type<t.TypeOf<typeof Finding>, unknown> = Finding;
export const Both = t.type({ finding: Finding, repo: Repo, more: t.intersection([Repo, t.type({ stars: t.number })]) });
export const both: Either<readonly Problem[], t.TypeOf<typeof Both>> = decode(Both, null);
export const own: t.Validation<t.TypeOf<typeof RepoList>> = RepoList.decode([]);
export const list: readonly t.Mixed[] = [Ours, RepoList, Both];
`;

const options = {
  strict: true,
  noEmit: true,
  // The oldest versions of io-ts have declarations that newer versions of TypeScript refuse.
  skipLibCheck: true,
  types: [],
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom'],
};

/** The folders of a package in a project. */
const copiesOf = async (name: string, project: string): Promise<readonly string[]> =>
  (await readdir(join(project, 'node_modules'), { recursive: true }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path === name || path.endsWith(`/node_modules/${name}`));

for (const installed of versions) {
  const label = Object.entries(installed).map((each) => each.join('@'));
  test(`the codecs are those of the consumer’s own io-ts, beside ${label.join(' and ')}`, async (t) => {
    const project = await directoryWith(t, {
      'script.js': script,
      'consumer.ts': consumer,
      'package.json': '{ "type": "module" }',
    });
    const wanted = [await packed(), ...label];
    const quiet = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['install', '--prefix', project, ...quiet, ...wanted], project);
    t.deepEqual(await copiesOf('io-ts', project), ['io-ts']);
    t.is(await node(project, 'script.js'), 'true Right Left\n');
    t.is(await typeProblems(project, options), '');
  });
}
