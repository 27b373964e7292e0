import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { nameOf } from '../../scripts/inventory.js';
import { block, documentText } from '../_documented.js';
import { run } from '../_package.js';
import type { TestLife } from '../_server.js';
import { startShell } from '../_shell.js';
import { browse } from '../browser/_browser.js';
import { logInTo } from '../browser/_demo.js';
import { staticHost } from '../browser/_static-host.js';
import { pages } from '../docs/_pages.js';
import { freePort } from '../postgres/_embedded.js';
import { withPostgres } from '../postgres/_postgres.js';
import { startRegistry, temporaryFolder } from './_registry.js';
import { type Job, root, workflow } from './_workflows.js';

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
const startRehearsal = async (life: TestLife, registry: string) => {
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
const strangerWith = async (life: TestLife, registry: string) => {
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

const { emptyDatabase } = withPostgres(test);

type Stage = Readonly<{
  registry: string;
  rehearsal: Awaited<ReturnType<typeof startRehearsal>>;
  stranger: Awaited<ReturnType<typeof strangerWith>>;
  /** The clone that the owner works in. */
  owner: string;
}>;

// Each test goes on where the one before has ended: from a first version to strangers who use the next.
const stages: Stage[] = [];
const ends: (() => unknown)[] = [];
const life: TestLife = { teardown: (end) => ends.push(end) };

test.before(async () => {
  const registry = await startRegistry(life);
  const rehearsal = await startRehearsal(life, registry);
  const stranger = await strangerWith(life, registry);
  stages.push({ registry, rehearsal, stranger, owner: await rehearsal.clone('owner') });
});
test.after.always(async () => {
  for (const end of ends.reverse()) await end();
});

const stage = (): Stage => {
  const [found] = stages;
  if (found === undefined) throw new Error('the registry has not been started');
  return found;
};

/** The versions that the registry has by their tags. */
const published = async (): Promise<Readonly<Record<string, string>>> => {
  const response = await fetch(`${stage().registry}triage-api`);
  return Object(await response.json())['dist-tags'];
};

const contributing = documentText('../CONTRIBUTING.md');
const early = '0.1.0-alpha.0';
const next = '0.1.0';

test('the owner publishes the first version by the commands of CONTRIBUTING.md', async (t) => {
  const { rehearsal, owner } = stage();
  await rehearsal.sh(block(contributing, 'sh first-release'), owner);
  t.deepEqual(await rehearsal.takeNotRun(), ['npm login']);
  t.is((await published()).next, early);
});

test('the owner pushes a tag, and the workflow publishes that version', async (t) => {
  const { rehearsal, owner } = stage();
  await rehearsal.sh(block(contributing, 'sh release'), owner);
  t.deepEqual(await rehearsal.takeNotRun(), []);
  const clone = await rehearsal.clone('released', `v${next}`);
  // Each tag that arrives starts the workflow, which cannot publish a version twice.
  t.is((await run('git', ['tag'], clone)).stdout, `v${next}\n`);
  const { package: built, publish } = workflow('release.yml').jobs;
  if (built === undefined || publish === undefined) throw new Error('release.yml lacks a job');
  // One job hands its folder `package` to the other.
  for (const job of [built, publish])
    await rehearsal.runJob(job, clone, { variables: { GITHUB_REF_NAME: `v${next}` } });
  t.deepEqual(await rehearsal.takeNotRun(), [
    'npm test',
    'npm run test:all -- image',
    'npm publish --provenance',
  ]);
  t.like(await published(), { latest: next, next: early });
  t.notRegex(await readFile(join(clone, 'README.md'), 'utf8'), /first release/);
});

test('the commands of the other workflows run on a clean clone, in order', async (t) => {
  const { rehearsal } = stage();
  const clone = await rehearsal.clone('main');
  const done = new Set<string>();
  for (const name of ['ci.yml', 'docs.yml', 'audit.yml'])
    for (const job of Object.values(workflow(name).jobs))
      await rehearsal.runJob(job, clone, {
        expressions: { 'steps.pages.outputs.base_path': '/triage-api' },
        done,
      });
  t.deepEqual(await rehearsal.takeNotRun(), [
    'npm test',
    'sudo apt-get update',
    'sudo apt-get install --yes pgbouncer nginx-light',
    'npm run test:all',
    'npm run coverage',
    'npm audit --omit dev',
    'npm audit --omit dev',
    'npm audit signatures',
  ]);
  const site = join(clone, 'docs/site/.vitepress/dist');
  t.regex(await readFile(join(site, 'index.html'), 'utf8'), /\/triage-api\/assets\//);
  t.true(existsSync(join(site, 'demo/index.html')));
  t.is((await run('git', ['status', '--porcelain'], clone)).stdout, '');
});

/** An empty folder of a stranger. */
const emptyFolder = async (name: string): Promise<string> => {
  const folder = join(stage().stranger.home, name);
  await mkdir(folder, { recursive: true });
  return folder;
};

/** Starts a command of a stranger. It ends with the test. */
const start = (t: ExecutionContext, folder: string, command: string, more: NodeJS.ProcessEnv = {}) =>
  startShell(t, folder, command, { ...stage().stranger.environment, ...more });

/** Runs a command of a stranger, which has to succeed, and returns what it prints. */
const sh = async (t: ExecutionContext, folder: string, command: string, more: NodeJS.ProcessEnv = {}) => {
  const { code, out } = await start(t, folder, command, more).finished;
  t.is(code, 0, `${command}\n${out}`);
  return out;
};

const listening = /^listening on (\S+)$/m;

test('npx starts a server in an empty folder, and the requests that it prints are answered', async (t) => {
  const folder = await emptyFolder('npx');
  const server = start(t, folder, 'npx triage-api serve');
  const [printed] = await server.shows(/[\s\S]*^listening on \S+$/m);
  const requests = printed.split('\n').filter((line) => line.startsWith('  curl '));
  t.is(requests.length, 4);
  for (const request of requests)
    t.regex(await sh(t, folder, `${request} -s -w '\\n%{http_code}'`), /^[[{].*[\]}]\n200$/s, request);
  t.is((await sh(t, folder, 'npx triage-api --version')).trim(), next);
});

test('installed in a new project, the example of the README prints what the README says', async (t) => {
  const folder = await emptyFolder('project');
  const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(documentText('../README.md')) ?? [];
  await writeFile(join(folder, 'example.mjs'), example);
  const installed = await sh(t, folder, 'npm init --yes && npm install --save-dev triage-api');
  t.notRegex(installed, /npm (?:warn|error)/i);
  t.is(await sh(t, folder, 'node example.mjs'), 'Right\n');
});

test('what is installed runs no script of its own, and is listed with its licence', async (t) => {
  const modules = join(await emptyFolder('project'), 'node_modules');
  const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8'));
  const packages: readonly (readonly [string, unknown])[] = Object.entries(Object(lock.packages));
  t.deepEqual(
    packages.filter(([, each]) => 'hasInstallScript' in Object(each)),
    [],
  );
  const bom = JSON.parse(await readFile(join(modules, 'triage-api/sbom.cdx.json'), 'utf8'));
  const listed: readonly unknown[] = bom.components;
  const names = listed.map((each) => nameOf(String(Object(each)['bom-ref'])));
  const licences = await readFile(join(modules, 'triage-api/THIRD-PARTY-LICENSES.txt'), 'utf8');
  const installed = packages
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
    .filter((name) => name !== 'triage-api');
  t.true(installed.length > 20);
  for (const name of installed) {
    t.true(names.includes(name), name);
    t.true(licences.includes(`=\n${name}@`), name);
  }
  t.is(bom.metadata.component.version, next);
});

test('what init writes passes the checks that it tells of', async (t) => {
  const folder = await emptyFolder('project');
  const printed = await sh(t, folder, 'npx triage-api init mine');
  const readme = await readFile(join(folder, 'mine/README.md'), 'utf8');
  const checks = Array.from(
    `${printed}\n${readme}`.matchAll(/npx triage-api check [^`\n]*/g),
    ([line]) => line,
  );
  t.true(checks.length >= 2, printed);
  for (const check of checks) await sh(t, folder, check);
});

test('npx writes a demo that opens in a browser', async (t) => {
  const folder = await emptyFolder('demo');
  await sh(t, folder, 'npx triage-api demo site');
  const { origin } = await staticHost(t, join(folder, 'site'));
  const page = await (await browse(t)).newPage();
  await logInTo(page, `${origin}/`, 'Dana Whitfield');
  await page.goto(`${origin}/explore/findings`);
  t.true((await page.locator('tbody tr').count()) > 5);
});

/** The commands of the documents that use npx, each with what stands before it in its line. */
const documented = ['../README.md', ...pages, 'README.md'].flatMap((page) =>
  Array.from(
    documentText(page).matchAll(/(?:\S+ .*\| )?npx triage-api \w[^`\n]*/g),
    ([command]) => [page, command.replace(/ &$/, '')] as const,
  ),
);

test('every command of the documents that uses npx runs', async (t) => {
  const folder = await emptyFolder('documented');
  // The page leaves it to the reader what a database is.
  const sqlite = join(root, 'examples/custom-storage');
  await copyFile(join(sqlite, 'sqlite-storage.js'), join(folder, 'sqlite-storage.mjs'));
  const files = {
    'my-storage.mjs': block(documentText('storage.md'), 'js my-storage.mjs'),
    'open-database.mjs': `import { openSqlite } from './sqlite-storage.mjs';
      export const openDatabase = async () => openSqlite(':memory:');`,
    // There is no service here that could audit a project.
    'audit.json': JSON.stringify({
      auditReportVersion: 2,
      vulnerabilities: {},
      metadata: { vulnerabilities: {} },
    }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // Whose tests the page shows.
  await cp(join(root, 'examples/lies'), folder, { recursive: true });
  const needed: unknown = JSON.parse(await readFile(join(sqlite, 'package.json'), 'utf8')).dependencies;
  const database = `node-sqlite3-wasm@${Object(needed)['node-sqlite3-wasm']}`;
  await sh(t, folder, `npm init --yes && npm install triage-api ${database}`);
  // The documented run of tests, of which `coverage` tells what it has seen, is a request to this server.
  const judged = start(t, folder, 'npx triage-api serve', { TRIAGE_COVERAGE: 'states' });
  const [, url = ''] = await judged.shows(listening);
  t.is((await fetch(`${url}/api/v1/repos`)).status, 401);
  const port = String(await freePort());
  t.true(documented.length >= 8);
  for (const [page, command] of documented) {
    const [, name] = /npx triage-api ([\w-]+)/.exec(command) ?? [];
    if (name === 'verify') {
      const adapted = command.replace(/"?http:\/\/127\.0\.0\.1:(?:\$PORT|\d+)"?/, url);
      t.not(adapted, command, page);
      await sh(t, folder, adapted, { SESSION: 'boundary-session', TOKEN: 'boundary-token' });
    } else if (name === 'import-from')
      await sh(t, folder, command.replace('npm audit --json', 'cat audit.json'));
    else if (name === 'coverage')
      // One request has not seen as much as the documents demand.
      t.regex((await start(t, folder, command).finished).out, /^\w+: \d+ of [\s\S]*--min 80 demands/m);
    else if (name === 'mutate')
      t.regex((await start(t, folder, command).finished).out, /^No test noticed[\s\S]*lies noticed/m);
    else if (command.includes('--port')) {
      // Its port is a placeholder of a template.
      start(t, folder, command.replace(/\$\{\w+\}/, port));
      await untilAnswered(`http://127.0.0.1:${port}/readyz`);
    } else {
      const [, address = ''] = await start(t, folder, command).shows(listening);
      t.is((await fetch(`${address}/healthz`)).status, 200, `${page}: ${command}`);
    }
  }
});

const untilAnswered = async (url: string): Promise<void> => {
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await new Promise((end) => setTimeout(end, 50));
};

const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
const account = { name: 'Kim', email: 'kim@team.test', password: 'a long enough password' };

test('a newer version reads the folders and databases of the version before', async (t) => {
  const folder = await emptyFolder('upgraded');
  await sh(t, folder, `npm init --yes && npm install triage-api@${early}`);
  const database = await emptyDatabase(t);
  await sh(t, folder, 'npx triage-api db migrate', { TRIAGE_DATABASE_URL: database });
  const places = ['--state state', `--database-url '${database}'`];
  const served = async (place: string) => {
    const server = start(t, folder, `npx triage-api serve ${place}`);
    const [, url = ''] = await server.shows(listening);
    return { url, stop: server.stop };
  };
  const post = (url: string, body: object) =>
    fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body), redirect: 'manual' });
  const cookies = new Map<string, string>();
  for (const place of places) {
    const { url, stop } = await served(place);
    const signedUp = await post(`${url}/signup`, account);
    t.true(signedUp.ok, await signedUp.text());
    cookies.set(
      place,
      signedUp.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; '),
    );
    await stop();
  }
  await sh(t, folder, 'npm install triage-api@latest');
  t.is((await sh(t, folder, 'npx triage-api --version')).trim(), next);
  t.regex(await sh(t, folder, 'npx triage-api db migrate', { TRIAGE_DATABASE_URL: database }), /up to date/);
  for (const place of places) {
    const { url, stop } = await served(place);
    t.is((await post(`${url}/login`, account)).status, 200, place);
    const repos = await fetch(`${url}/api/v1/repos`, { headers: { Cookie: cookies.get(place) ?? '' } });
    t.is(repos.status, 200, place);
    await stop();
  }
});
