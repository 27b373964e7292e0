import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExecutionContext, TestFn } from 'ava';
import { root } from '../../scripts/inventory.js';
import { run } from '../_package.js';
import { type Finished, listenProgram, type Running, runProgram, unhurried } from '../cli/_cli.js';
import { freePort } from '../postgres/_embedded.js';
import { type ContainerOptions, type Engine, openEngine } from './_engine.js';

const output = async (program: string, ...words: readonly string[]): Promise<string> =>
  (await run(program, words, root)).stdout.trim();

/**
 * Writes the context of an image that has the Node and the npm of this machine, the shell and the libraries
 * that they need, and the users of the official image: a base for where that cannot be had.
 */
const writeBase = async (folder: string): Promise<void> => {
  const files = join(folder, 'files');
  await mkdir(join(files, 'usr/local/bin'), { recursive: true });
  for (const name of ['bin', 'lib', 'lib64']) {
    await mkdir(join(files, 'usr', name), { recursive: true });
    await symlink(`usr/${name}`, join(files, name));
  }
  for (const name of ['dev', 'proc', 'root', 'run', 'sys', 'tmp']) await mkdir(join(files, name));
  await chmod(join(files, 'tmp'), 0o1777);
  const copy = async (from: string, to = from): Promise<void> => {
    await mkdir(dirname(join(files, to)), { recursive: true });
    await cp(from, join(files, to), { recursive: true, dereference: true });
  };
  for (const path of [process.execPath, '/bin/sh', '/usr/bin/env']) {
    await copy(path, path === process.execPath ? '/usr/local/bin/node' : path);
    for (const [, library = ''] of (await output('ldd', path)).matchAll(/(\/\S+) \(0x/g)) await copy(library);
  }
  const npm = join(await output('npm', 'root', '--global'), 'npm');
  await copy(npm);
  await symlink(join(npm, 'bin/npm-cli.js'), join(files, 'usr/local/bin/npm'));
  await mkdir(join(files, 'etc'));
  const users = ['root:x:0:0::/root:/bin/sh', 'node:x:1000:1000::/tmp:/bin/sh'];
  await writeFile(join(files, 'etc/passwd'), `${users.join('\n')}\n`);
  await writeFile(join(folder, 'Dockerfile'), 'FROM scratch\nCOPY files /\n');
};

/** The registry of npm on this machine, and the certificates that it trusts, as the text of an `.npmrc`. */
const npmSettings = async (): Promise<string> => {
  const setting = (name: string) => output('npm', 'config', 'get', name);
  const files = [await setting('cafile'), process.env.NODE_EXTRA_CA_CERTS ?? ''];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const certificates = texts
    .join('\n')
    .match(/^-----BEGIN CERTIFICATE-----$[\s\S]*?^-----END CERTIFICATE-----$/gm);
  const lines = Array.from(new Set(certificates), (each) => `ca[]="${each.replaceAll('\n', '\\n')}"`);
  return [`registry=${await setting('registry')}`, ...lines, ''].join('\n');
};

type Server = Running & Readonly<{ exec: (...words: readonly string[]) => Promise<Finished> }>;

/** The image of the Dockerfile, and containers of it. */
export type TestImage = Readonly<{
  config: Awaited<ReturnType<Engine['config']>>;
  /** The files that the build could read. */
  context: readonly string[];
  /** Runs a container to its end. */
  run: (options: ContainerOptions) => Promise<Finished>;
  /** The value of an expression, which may use `fs`, in a container; as JSON. */
  evaluate: (expression: string) => Promise<string>;
  /** Starts a server; `exec` runs a command in its container. */
  listen: (t: ExecutionContext, options?: ContainerOptions) => Promise<Server>;
}>;

/** What a release passes to the build. */
export const buildArguments = { VERSION: '1.2.3', REVISION: 'abcdef' };

/**
 * Builds the image before the tests of a file: on the base that the Dockerfile names or, where that cannot be
 * had, on one with the Node of this machine. Logs which, and what the containers lack.
 */
export const withImage = (test: TestFn): (() => TestImage) => {
  const shared: { image?: TestImage } = {};
  const cleaning: (() => Promise<void>)[] = [];
  test.before('the Dockerfile builds', async (t) => {
    const engine = openEngine();
    cleaning.push(engine.remove);
    const folder = await mkdtemp(join(tmpdir(), 'triage-api-image-'));
    cleaning.push(() => rm(folder, { recursive: true, force: true }));
    const prefix = `localhost/triage-api-test-${process.pid}`;
    const text = await readFile(join(root, 'Dockerfile'), 'utf8');
    const [, official = ''] = /^FROM (?:--platform=\S+ )?(\S+)/m.exec(text) ?? [];
    const base = (await engine.pull(official)) ? official : `${prefix}-base`;
    if (base !== official) {
      await writeBase(folder);
      await engine.build(base, folder, join(folder, 'Dockerfile'));
    }
    t.log(`built with ${engine.about}`);
    t.log(base === official ? `on ${official}` : `${official} cannot be had: on Node ${process.version}`);
    const build = async (name: string, dockerfile: string, options: readonly string[]): Promise<void> => {
      const file = join(folder, name);
      await writeFile(file, dockerfile);
      await engine.build(`${prefix}-${name}`, root, file, options);
    };
    const settings = join(folder, 'npmrc');
    await writeFile(settings, await npmSettings());
    const named = Object.entries(buildArguments).map((each) => `--build-arg=${each.join('=')}`);
    await build('image', text.replaceAll(official, base), [...named, `--secret=id=npmrc,src=${settings}`]);
    await build('context', `FROM ${prefix}-image\nCOPY . /context\n`, []);

    let count = 0;
    const nextName = () => `triage-api-test-${process.pid}-${++count}`;
    const runs = async (options: ContainerOptions, name = 'image'): Promise<Finished> =>
      runProgram(await engine.container(`${prefix}-${name}`, nextName(), options));
    const evaluate = async (expression: string, name?: string): Promise<string> => {
      const script = `const fs = require('node:fs'); console.log(JSON.stringify(${expression}))`;
      const { code, out, err } = await runs({ entrypoint: 'node', words: ['-e', script] }, name);
      if (code !== 0) throw new Error(`exit code ${code}: ${err}`);
      return out;
    };
    const listing = await evaluate("fs.readdirSync('/context', { recursive: true })", 'context');
    shared.image = {
      config: await engine.config(`${prefix}-image`),
      context: JSON.parse(listing),
      run: runs,
      evaluate,
      listen: async (t, options = {}) => {
        const name = nextName();
        const address = { TRIAGE_HOST: '127.0.0.1', TRIAGE_PORT: String(await freePort()) };
        const environment = { ...unhurried, ...address, ...options.environment };
        const program = await engine.container(`${prefix}-image`, name, { ...options, environment });
        const server = await listenProgram(t, program);
        const exec = async (...words: readonly string[]) =>
          runProgram(await engine.exec(name, server.child.pid ?? 0, words));
        return { ...server, exec };
      },
    };
  });
  test.after.always(async () => {
    for (const clean of cleaning) await clean();
  });
  return () => {
    if (shared.image === undefined) throw new Error('the image has not been built');
    return shared.image;
  };
};
