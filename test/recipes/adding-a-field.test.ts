import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { documentText } from '../_documented.js';
import { withPostgres } from '../postgres/_postgres.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What the build and the tests of the copy need. With `build`, only what has changed is compiled. */
const copied = [
  ...['bench', 'bin', 'build', 'docs', 'fixtures', 'schema', 'scripts', 'src', 'test'],
  ...['CHANGELOG.md', 'README.md', 'ava.config.js', 'package.json', 'tsconfig.json'],
];

/** Tools that are installed in the copied folders, and what other tests write to `build` meanwhile. */
const isCopied = (path: string): boolean => !/[/\\](node_modules|build[/\\][a-z-]+-\w{6})$/.test(path);

/** Whatever has an end at which the copy is removed: a test. */
type Life = Readonly<{ teardown: (stop: () => Promise<void>) => unknown }>;

/** A copy of the source, and ways to run its programs. */
type Copy = Readonly<{
  /** Runs Node in the folder of the copy; what it writes. Rejects, with all of it, if it fails. */
  node: (...words: readonly string[]) => Promise<string>;
  /** Makes the changes that a section of docs/architecture.md shows, or some of them. Returns the files. */
  follow: (heading: string, first?: number, end?: number) => Promise<readonly string[]>;
  /** Starts `serve`, which ends with the test. Returns its URL. */
  serve: (life: Life, ...words: readonly string[]) => Promise<string>;
}>;

const copyOfSource = async (life: Life): Promise<Copy> => {
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-recipe-'));
  life.teardown(() => rm(folder, { recursive: true, force: true }));
  for (const name of copied)
    await cp(join(root, name), join(folder, name), { recursive: true, filter: isCopied });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // What runs in the copy is no part of the tests, and prints no colours, because its output is read.
  const env = { ...process.env, TEST_PART: undefined, FORCE_COLOR: undefined };
  return {
    node: async (...words) => {
      const options = { cwd: folder, env, maxBuffer: 100_000_000 };
      const run = promisify(execFile)(process.execPath, [...words], options);
      const { stdout } = await run.catch((failed: unknown) => {
        throw new Error(`node ${words.join(' ')}:\n${Object(failed).stdout}${Object(failed).stderr}`);
      });
      return stdout;
    },
    follow: async (heading, first, end) => {
      const files = new Set<string>();
      for (const { file, change } of changesIn(heading).slice(first, end)) {
        await write(join(folder, file), change);
        files.add(file);
      }
      return Array.from(files);
    },
    serve: async (test, ...words) => {
      const child = spawn(process.execPath, ['bin/triage-api.js', 'serve', '--port', '0', ...words], {
        cwd: folder,
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      test.teardown(async () => {
        child.kill();
        await ended;
      });
      let written = '';
      return new Promise((resolve, reject) => {
        child.stderr.setEncoding('utf8').on('data', (text: string) => {
          written += text;
          const [, url] = /listening on (\S+)\n/.exec(written) ?? [];
          if (url !== undefined) resolve(url);
        });
        child.once('close', () => reject(new Error(`the server has ended:\n${written}`)));
      });
    },
  };
};

type Change = Readonly<{ before: string; after: string }>;

/** The changes of a section, in the order of the document. Those of one block have `@@` between them. */
const changesIn = (heading: string): readonly Readonly<{ file: string; change: Change }>[] => {
  const [, section = ''] = documentText('architecture.md').split(`\n${heading}\n`);
  const [text = ''] = section.split(/^#/m);
  return Array.from(text.matchAll(/^```diff (\S+)\n([\s\S]*?)\n```$/gm)).flatMap(
    ([, file = '', block = '']) =>
      block.split('\n@@\n').map((hunk) => {
        const lines = hunk.split('\n');
        const without = (sign: string) =>
          lines
            .filter((line) => !line.startsWith(sign))
            .map((line) => line.slice(1))
            .join('\n');
        return { file, change: { before: without('+'), after: without('-') } };
      }),
  );
};

/** Replaces the first place that has the text before; without one, the file is new. */
const write = async (file: string, { before, after }: Change): Promise<void> => {
  if (before === '') return writeFile(file, `${after}\n`, { flag: 'wx' });
  const text = await readFile(file, 'utf8');
  const place = text.indexOf(before);
  if (place === -1) throw new Error(`${file} does not have these lines:\n${before}`);
  await writeFile(file, text.slice(0, place) + after + text.slice(place + before.length));
};

// Follows docs/architecture.md, in a copy of the source: what it shows is all that has to be changed by hand.

const { emptyDatabase } = withPostgres(test);

const field = 'firstPatchedVersion';
const severity = 'negligible';

const compile = ({ node }: Copy): Promise<string> => node('node_modules/typescript/bin/tsc', '-p', '.');

const build = async (copy: Copy): Promise<void> => {
  await compile(copy);
  await copy.node('build/test/openapi/_write-derived.js');
  await compile(copy);
  await copy.node('scripts/copy-assets.js');
  await copy.node('build/scripts/write-examples.js');
  await copy.node('build/scripts/write-bundle.js');
};

const verify = ({ node }: Copy, url: string): Promise<string> => {
  const ofAcme = ['--session', 'acme-session', '--token', 'acme-token'];
  const ofAnother = ['--other-session', 'demo-session', '--other-token', 'demo-token'];
  return node('bin/triage-api.js', 'verify', '--url', url, ...ofAcme, ...ofAnother);
};

const read = async (url: string, path: string): Promise<string> => {
  const answer = await fetch(`${url}${path}`, { headers: { Cookie: 'session=acme-session' } });
  return answer.text();
};

test('the recipes for a field and for a value of an enum are all that there is to do', async (t) => {
  t.timeout(1_800_000);
  const copy = await copyOfSource(t);
  // Who only adds the codecs is told what else has to be known of the field.
  const codecs = await copy.follow('## Adding a field', 0, 2);
  const { message } = (await t.throwsAsync(compile(copy))) ?? { message: '' };
  for (const file of ['src/api/row-records.ts', 'src/pages/explorer/findings-pages.ts'])
    t.regex(message, new RegExp(`^${file}.*${field}`, 'm'));
  const ofField = new Set([...codecs, ...(await copy.follow('## Adding a field', 2))]);
  const ofValue = await copy.follow('### A value of an enum');
  t.true(ofField.size <= 8, Array.from(ofField).join(', '));
  t.true(ofValue.length > 0 && ofValue.length <= 6, ofValue.join(', '));
  await build(copy);

  const ava = ['node_modules/ava/entrypoints/cli.mjs', '--serial', '--concurrency', '1'];
  for (const storage of ['fixtures', 'postgres'])
    t.regex(await copy.node(...ava, `test/${storage}/conformance.test.ts`), /\d+ tests passed/);

  const database = await emptyDatabase(t);
  await copy.node('bin/triage-api.js', 'db', 'migrate', '--database-url', database);
  await copy.node('bin/triage-api.js', 'db', 'import', 'fixtures', '--database-url', database);
  for (const words of [[], ['--database-url', database]]) {
    const url = await copy.serve(t, ...words);
    t.regex(await verify(copy, url), /keeps the contract/);
    for (const path of ['/api/v1/findings/fix_0001', '/api/v1/findings?limit=100'])
      t.true((await read(url, path)).includes(`"${field}":"4.17.21"`), path);
    t.true((await read(url, '/api/v1/findings?limit=100')).includes(`"${field}":null`));
    t.is(JSON.parse(await read(url, `/api/v1/findings?severity=${severity}`)).items.length, 0);
  }

  const url = await copy.serve(t);
  for (const path of ['/explore/findings?limit=100', '/explore/findings/fix_0001']) {
    const page = await read(url, path);
    t.true(page.includes(field) && page.includes('<bdi>4.17.21</bdi>'), path);
  }
  t.true((await read(url, '/explore/findings')).includes(`severity=${severity}`));

  const { schemas } = JSON.parse(await copy.node('bin/triage-api.js', 'openapi')).components;
  for (const name of ['Finding', 'FindingDetail']) {
    const { type, examples } = schemas[name].properties[field];
    t.deepEqual([type, examples], [['string', 'null'], ['4.17.21']], name);
    t.true(schemas[name].required.includes(field), name);
  }
  t.true(schemas.Severity.enum.includes(severity));

  await copy.node('bin/triage-api.js', 'generate', 'build/generated', '--findings', '20', '--seed', '1');
  t.regex(await copy.node('-p', generated), /^(?:null,){19}null$/m);
});

/** The field in each finding of the generated tenant. */
const generated = `require('node:fs').readdirSync('build/generated').flatMap((file) =>
  JSON.parse(require('node:fs').readFileSync('build/generated/' + file, 'utf8')).fixDrafts)
  .map((draft) => JSON.stringify(draft.${field})).join()`;
