import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { bundledPackages, copiedPackages } from '../../scripts/inventory.js';
import { directoryWith } from '../fixtures/_directory.js';
import { judgeWorkflow } from './_tools.js';
import { root, workflow, workflowNames, workflowText } from './_workflows.js';

const release = workflow('release.yml');
const { scripts, engines, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

for (const name of workflowNames) {
  test(`${name}: jobs, actions, scripts and folders that it names exist, and it may do little`, (t) => {
    const { jobs, permissions } = workflow(name);
    t.deepEqual(permissions, { contents: 'read' });
    for (const { needs, steps } of Object.values(jobs)) {
      if (needs !== undefined) t.true(needs in jobs, needs);
      const ids = steps.flatMap(({ id }) => id ?? []);
      for (const step of steps) {
        t.true((step.uses === undefined) !== (step.run === undefined), JSON.stringify(step));
        const run = step.run ?? '';
        // What somebody else wrote, such as the title of a pull request, must not become part of a command.
        t.notRegex(run, /\$\{\{/);
        for (const [, script = ''] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
          t.true(script in scripts);
        for (const [, prefix = ''] of run.matchAll(/--prefix (\S+)/g))
          t.true(existsSync(join(root, prefix, 'package-lock.json')), prefix);
        for (const [, id = ''] of JSON.stringify(step).matchAll(/steps\.(\w+)\./g))
          t.true(ids.includes(id), id);
      }
    }
  });
}

test('every workflow keeps the rules of the forge', async (t) => {
  for (const name of workflowNames) t.deepEqual(await judgeWorkflow(workflowText(name)), [], name);
  const ci = workflowText('ci.yml');
  for (const [right, wrong] of [
    ['timeout-minutes', 'timeout-seconds'],
    ['matrix.os }}', 'matrix.system }}'],
    ['contents: read', 'contents: all'],
  ] as const)
    t.not((await judgeWorkflow(ci.replace(right, wrong))).length, 0, wrong);
});

test('each action is pinned to one commit everywhere, and a comment names its version', (t) => {
  const uses = workflowNames.flatMap((name) => Array.from(workflowText(name).matchAll(/uses: (.*)@(.*)/g)));
  t.true(uses.length > 10);
  const pins = new Map(uses.map(([, action = '', pin = '']) => [action, pin]));
  for (const [, action = '', pin = ''] of uses) {
    t.regex(pin, /^[0-9a-f]{40} # v\d+\.\d+\.\d+$/, action);
    t.is(pins.get(action), pin, action);
  }
});

test('the tests run on every version of Node that is supported', (t) => {
  const matrix = Object(Object(workflow('ci.yml').jobs.test?.strategy).matrix);
  t.deepEqual(matrix.node, [20, 22, 24, 26]);
  t.regex(engines.node, />=20\./);
});

test('the audit asks about every package whose code is copied into this one', (t) => {
  const steps = workflow('audit.yml').jobs.audit?.steps ?? [];
  const [, names = ''] = steps.map(({ run = '' }) => /^names='(.*)'$/m.exec(run)).find(Boolean) ?? [];
  t.deepEqual(names.split(' '), [...bundledPackages, ...copiedPackages].sort());
});

/** Runs a step of the release as the forge would: with its variables, in a folder with package.json. */
const runStep = async (named: string, cwd: string, ref: string): Promise<void> => {
  const step = release.jobs.package?.steps.find(({ name }) => name === named);
  await promisify(execFile)('sh', ['-e', '-c', step?.run ?? 'exit 9'], {
    cwd,
    env: {
      ...process.env,
      GITHUB_REF_NAME: ref,
      GITHUB_SERVER_URL: 'https://forge.test',
      GITHUB_REPOSITORY: 'someone/triage-api',
    },
  });
};

test('a release is published with its provenance, from a tag that is the version, and names its repository', async (t) => {
  const { package: built, publish } = release.jobs;
  t.is(built?.permissions, undefined, 'code of other packages runs without the identity of the publisher');
  t.deepEqual(publish?.permissions, { contents: 'read', 'id-token': 'write' });
  t.is(publish?.needs, 'package');
  t.regex(publish?.steps.at(-1)?.run ?? '', /npm publish \.\/package\/\*\.tgz --provenance --access public/);
  t.deepEqual(
    publish?.steps.flatMap(({ run = '' }) => /npm (?:ci|install|run|test)/.exec(run) ?? []),
    [],
  );
  const manifest = await readFile(join(root, 'package.json'), 'utf8');
  const directory = await directoryWith(t, { 'package.json': manifest });
  await runStep('Compare the tag with package.json', directory, `v${version}`);
  await t.throwsAsync(runStep('Compare the tag with package.json', directory, `v${version}0`));
  await runStep('Name the repository in package.json', directory, `v${version}`);
  const { repository, homepage, bugs, ...rest } = JSON.parse(
    await readFile(join(directory, 'package.json'), 'utf8'),
  );
  t.deepEqual(repository, { type: 'git', url: 'git+https://forge.test/someone/triage-api.git' });
  t.is(homepage, 'https://forge.test/someone/triage-api#readme');
  t.deepEqual(bugs, { url: 'https://forge.test/someone/triage-api/issues' });
  t.deepEqual(rest, JSON.parse(manifest));
});

test('the image is built for two platforms, after the tests, with labels and tags', async (t) => {
  const { image } = release.jobs;
  t.is(image?.needs, 'publish');
  t.true(release.jobs.package?.steps.some(({ run }) => run === 'npm run test:all -- image'));
  const used = (action: string) =>
    image?.steps.find(({ uses }) => uses?.startsWith(`${action}@`))?.with ?? {};
  const { platforms, push, labels, tags, 'build-args': args } = used('docker/build-push-action');
  t.is(platforms, 'linux/amd64,linux/arm64');
  t.is(push, true);
  for (const each of [labels, tags]) t.regex(String(each), /steps\.metadata\.outputs/);
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  for (const [, name = ''] of String(args).matchAll(/^(\w+)=/gm))
    t.regex(dockerfile, new RegExp(`^ARG ${name}=`, 'm'));
  const title = /org\.opencontainers\.image\.description="(.*)"/.exec(dockerfile)?.[1] ?? 'no description';
  t.true(String(used('docker/metadata-action').labels).includes(`image.description=${title}\n`));
});
