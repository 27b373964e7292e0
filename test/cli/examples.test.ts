import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { commands, programExamples } from '../../src/cli/program.js';
import { statesOf } from '../../src/simulation/states/index.js';
import { aUser } from '../_data.js';
import { directoryWith } from '../fixtures/_directory.js';
import { withPostgres } from '../postgres/_postgres.js';
import { run, sharedServer } from './_cli.js';

const { database } = withPostgres(test);
const server = sharedServer(test, []);

const binary = fileURLToPath(new URL('../../../bin/triage-api.js', import.meta.url));

const reports = {
  trivy: { SchemaVersion: 2, ArtifactName: 'x', Results: [] },
  npm: {
    auditReportVersion: 2,
    vulnerabilities: {},
    metadata: { vulnerabilities: { total: 0 }, dependencies: { total: 1 } },
  },
};

/** The words of examples that are files and folders. */
const paths = /(?<= )(?:fixtures\S*|public|my-fixtures|large|several|states|[\w-]+\.(?:json|xml))(?= |$)/g;

/** Runs examples one after the other, in a directory that has what they need. */
const runAll = async (lines: readonly string[], directory: string, databaseUrl: string) => {
  const folder = join(directory, 'bin');
  await mkdir(folder);
  const scripts = {
    'triage-api': `exec '${process.execPath}' '${binary}' "$@"`,
    npm: `cat <<'END'\n${JSON.stringify(reports.npm)}\nEND`,
  };
  for (const [name, script] of Object.entries(scripts))
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const files = {
    'trivy.json': reports.trivy,
    'npm-audit.json': reports.npm,
    'fixtures/team.json': { user: { ...aUser('kim'), email: 'kim@team.test' } },
  };
  await mkdir(join(directory, 'fixtures'));
  await mkdir(join(directory, 'states'));
  const seen = statesOf().flatMap(({ id, operations }) =>
    operations.map((operation) => `${operation} ${id}`),
  );
  await writeFile(join(directory, 'states/run.states'), seen.join('\n'));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, name), JSON.stringify(content));
  await writeFile(join(directory, 'database-url'), databaseUrl);
  const results = [];
  for (const command of lines) {
    const line = command
      .replaceAll('postgres://localhost/triage', databaseUrl)
      .replaceAll(/http:\/\/127\.0\.0\.1:4000|https:\/\/triage\.example\.com/g, server().url)
      .replaceAll('--port 4000', `--port ${new URL(server().url).port}`);
    // Without syntax of the shell, it can run in this process, which has another working directory.
    if (/^triage-api [^|>]*$/.test(line)) {
      const words = line.replaceAll('\\\n', '').replaceAll(paths, (path) => join(directory, path));
      const { code, err } = await run(words.split(/ +/).slice(1));
      results.push({ command, code, stderr: err });
      continue;
    }
    const { code = 0, stderr } = await promisify(execFile)('bash', ['-c', line], {
      cwd: directory,
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        HOME: directory,
        TRIAGE_TIMEOUT: '100000',
      },
    }).catch((failed: unknown) => Object(failed));
    results.push({ command, code, stderr });
  }
  return results;
};

/** Those that run until they are stopped, or run tests of somebody, are tested by what they do. */
const isEndless = (command: string): boolean =>
  /^triage-api(?: serve\b| explore\b| mutate\b| -f |$)|--watch| && triage-api -f/.test(command);

for (const [name, load] of Object.entries(commands)) {
  test(`${name} has at least two examples, which work`, async (t) => {
    const examples = Object.values((await load()).examples);
    t.true(examples.length >= 2);
    for (const command of examples) for (const line of command.split('\n')) t.true(line.length <= 76, line);
    const needsDatabase = examples.some((command) => /postgres:|database-url/.test(command));
    const databaseUrl = needsDatabase ? await database(t) : '';
    const directory = await directoryWith(t, {});
    const prepared =
      name === 'db delete-tenant' ? [`triage-api db import fixtures --database-url ${databaseUrl}`] : [];
    const endlessOrNot = examples.filter((command) => !isEndless(command));
    for (const { command, code, stderr } of await runAll(
      [...prepared, ...endlessOrNot],
      directory,
      databaseUrl,
    ))
      t.is(code, 0, `${command}\n${stderr}`);
  });
}

test('the program has two examples, and the help of each command shows its own', async (t) => {
  t.is(Object.keys(programExamples).length, 2);
  for (const [words, examples] of [
    [['--help'], programExamples],
    [['help', 'check'], (await commands.check?.())?.examples ?? {}],
  ] as const) {
    const { out } = await run(words);
    for (const [does, command] of Object.entries(examples))
      t.true(out.includes(`  # ${does}\n  $ ${command}`), command);
  }
});
