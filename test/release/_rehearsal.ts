import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../_package.js';
import type { TestLife } from '../_server.js';
import { temporaryFolder } from './_registry.js';
import { type Job, root } from './_workflows.js';

/**
 * npm, without what runs the tests, asks a hosted service, or needs the identity of a workflow: of that, it
 * only makes a note. It publishes to the registry of the rehearsal. The tools of other parts are large, so it
 * only tries whether they could be installed.
 */
const npm = `#!/bin/sh
case "$*" in
  test | 'run test:all'* | 'run coverage' | audit* | login) echo "npm $*" >> "$NOT_RUN"; exit ;;
esac
case "$*" in
  'ci '*bench/runners | 'ci '*examples/*) set -- "$@" --dry-run ;;
esac
if [ "$1" = publish ]; then
  for word do
    shift
    if [ "$word" = --provenance ]; then echo "npm publish $word" >> "$NOT_RUN"; else set -- "$@" "$word"; fi
  done
  set -- "$@" --registry "$REGISTRY" "--\${REGISTRY#http:}:_authToken=none"
fi
PATH="$USUAL_PATH"
exec npm "$@"
`;

const sudo = `#!/bin/sh
echo "sudo $*" >> "$NOT_RUN"
`;

/** Replaces the expressions of a workflow by their values. */
const evaluated = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => {
    const value = values[expression];
    if (value === undefined) throw new Error(`the rehearsal has no value for ${expression}`);
    return value;
  });

const forge = { server: 'https://forge.test', repository: 'someone/triage-api' };

type JobContext = Readonly<{
  expressions?: Readonly<Record<string, string>>;
  variables?: Readonly<Record<string, string>>;
  done?: Set<string>;
}>;

/** Runs the commands of a release in clones of a repository, as the owner and the workflows do. */
export const startRehearsal = async (life: TestLife, registry: string) => {
  const folder = await temporaryFolder(life);
  const notRun = join(folder, 'not-run');
  const programs = join(folder, 'programs');
  await mkdir(programs);
  for (const [name, text] of Object.entries({ npm, sudo })) {
    await writeFile(join(programs, name), text);
    await chmod(join(programs, name), 0o755);
  }
  const usualPath = process.env.PATH ?? '';
  const environment = {
    ...process.env,
    PATH: `${programs}${delimiter}${usualPath}`,
    USUAL_PATH: usualPath,
    NOT_RUN: notRun,
    REGISTRY: registry,
    CI: 'true',
    GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'Owner'],
        [`GIT_${who}_EMAIL`, 'owner@team.test'],
      ]),
    ),
    GITHUB_SERVER_URL: forge.server,
    GITHUB_REPOSITORY: forge.repository,
  };

  /** Runs commands of a shell as the runner of the forge does. Rejects if one fails. */
  const sh = async (commands: string, cwd: string, more: Readonly<Record<string, string>> = {}) => {
    const env = { ...environment, ...more };
    await promisify(execFile)('bash', ['-e', '-c', commands], { cwd, env, maxBuffer: 2 ** 26 });
  };

  /** What was not run since the last time. */
  const takeNotRun = async (): Promise<readonly string[]> => {
    const noted = await readFile(notRun, 'utf8').catch(() => '');
    await writeFile(notRun, '');
    return noted.split('\n').filter((line) => line !== '');
  };

  // The repository has what this clone has: what is committed, and what is about to be.
  const repository = join(folder, 'repository.git');
  const first = join(folder, 'first');
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], root);
  for (const path of stdout.split('\0').filter((each) => each !== '')) {
    await mkdir(dirname(join(first, path)), { recursive: true });
    // A file may have been removed, or may be a link to elsewhere.
    await copyFile(join(root, path), join(first, path)).catch((failed: NodeJS.ErrnoException) => {
      if (failed.code !== 'ENOENT') throw failed;
    });
  }
  await sh(`git init --quiet --initial-branch main && git add --all && git commit --quiet -m 'All'`, first);
  await sh(`git clone --quiet --bare first '${repository}'`, folder);

  /** A new clone of the repository, at a tag or branch. */
  const clone = async (name: string, ref = 'main'): Promise<string> => {
    await sh(`git clone --quiet --branch '${ref}' '${repository}' '${name}'`, folder);
    return join(folder, name);
  };

  /**
   * Runs the steps of a job that have commands, but those that `done` has already, which it adds to.
   * `expressions` are the values of those that occur in the workflow, `variables` what the forge sets.
   */
  const runJob = async (
    { steps }: Job,
    directory: string,
    { expressions = {}, variables = {}, done = new Set<string>() }: JobContext,
  ): Promise<void> => {
    const known = {
      'github.server_url': forge.server,
      'github.repository': forge.repository,
      ...expressions,
    };
    for (const { run: commands, env = {} } of steps) {
      if (commands === undefined || done.has(commands)) continue;
      const own = Object.entries(env).map(([name, text]) => [name, evaluated(text, known)] as const);
      await sh(commands, directory, { ...variables, ...Object.fromEntries(own) });
      done.add(commands);
    }
  };

  return { sh, takeNotRun, clone, runJob };
};

/** A home of somebody who has never used npm, but knows one registry. */
export const strangerWith = async (life: TestLife, registry: string) => {
  const home = await temporaryFolder(life);
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|TRIAGE_|NODE_ENV$|FORCE_COLOR$|PORT$|HOST$|LOG_LEVEL$|DATABASE_URL$)/i.test(name),
  );
  return {
    home,
    environment: {
      ...Object.fromEntries(own),
      HOME: home,
      npm_config_registry: registry,
      npm_config_userconfig: join(home, '.npmrc'),
      npm_config_cache: join(home, '.npm'),
      npm_config_yes: 'true',
      NO_COLOR: '1',
      TRIAGE_PORT: '0',
    },
  };
};
