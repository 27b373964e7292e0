import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { documentText } from '../_documented.js';

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
export type Copy = Readonly<{
  /** Runs Node in the folder of the copy; what it writes. Rejects, with all of it, if it fails. */
  node: (...words: readonly string[]) => Promise<string>;
  /** Makes the changes that a section of docs/architecture.md shows, or some of them. Returns the files. */
  follow: (heading: string, first?: number, end?: number) => Promise<readonly string[]>;
  /** Starts `serve`, which ends with the test. Returns its URL. */
  serve: (life: Life, ...words: readonly string[]) => Promise<string>;
}>;

export const copyOfSource = async (life: Life): Promise<Copy> => {
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
