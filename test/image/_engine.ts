import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as t from 'io-ts';
import { run } from '../_package.js';
import type { Program } from '../cli/_cli.js';

/** What an image says about its containers. */
const ImageConfig = t.type({
  User: t.string,
  WorkingDir: t.string,
  Entrypoint: t.array(t.string),
  Cmd: t.array(t.string),
  Env: t.array(t.string),
  Labels: t.record(t.string, t.string),
  ExposedPorts: t.UnknownRecord,
  Healthcheck: t.type({ Test: t.array(t.string) }),
});
type ImageConfig = t.TypeOf<typeof ImageConfig>;

/** How a container is started. Its file system is read-only but for `/tmp`, and it has no capabilities. */
export type ContainerOptions = Readonly<{
  /** What follows the entry point; by default, the command of the image. */
  words?: readonly string[];
  /** In place of the entry point of the image. */
  entrypoint?: string;
  environment?: Readonly<Record<string, string>>;
  /** Files and folders of this machine, by their path in the container. */
  volumes?: Readonly<Record<string, string>>;
  /** Limits on memory, processors and processes, as options of `docker run`. */
  limits?: readonly string[];
}>;

/** What builds images and starts containers. All containers use the network of this machine. */
export type Engine = Readonly<{
  /** Its name, and what its containers lack. */
  about: string;
  /** Whether it has an image, or can get it. */
  pull: (image: string) => Promise<boolean>;
  build: (image: string, context: string, dockerfile: string, options?: readonly string[]) => Promise<void>;
  config: (image: string) => Promise<ImageConfig>;
  /** A container in the foreground: it gets the signals, and the exit code is its own. */
  container: (image: string, name: string, options: ContainerOptions) => Promise<Program>;
  /** A command in a running container, whose program has this process id. */
  exec: (name: string, pid: number, words: readonly string[]) => Promise<Program>;
  /** Removes the images. */
  remove: () => Promise<void>;
}>;

/** The database of the tests has the name that it has in `compose.yaml`. */
const databaseHost = ['database', '127.0.0.1'] as const;

/** More than a build takes on a busy machine, and less than a test may take. */
const call = async (program: string, ...words: readonly string[]): Promise<string> =>
  (await run(program, words, tmpdir(), 590)).stdout.trim();

const pulls = (pulling: Promise<unknown>): Promise<boolean> =>
  pulling.then(
    () => true,
    () => false,
  );

const decodeConfig = (config: unknown): ImageConfig => {
  if (!ImageConfig.is(config)) throw new Error(`the image lacks a setting: ${JSON.stringify(config)}`);
  return config;
};

/** Docker, or Podman, which takes the same command lines. */
const dockerOr = (program: 'docker' | 'podman'): Engine => {
  const built: string[] = [];
  const { env } = process;
  return {
    about: program,
    pull: (image) => pulls(call(program, 'pull', image)),
    build: async (image, context, dockerfile, options = []) => {
      // The usual format of Podman has no health checks, and it would keep an image of each step.
      const own = program === 'podman' ? ['--format', 'docker', '--layers=false'] : [];
      await call(program, 'build', ...own, ...options, '--tag', image, '--file', dockerfile, context);
      built.push(image);
    },
    config: async (image) => {
      // Podman names the health check apart.
      const [{ Healthcheck, Config }] = JSON.parse(await call(program, 'image', 'inspect', image));
      return decodeConfig({ Healthcheck, ...Config });
    },
    container: async (
      image,
      name,
      { words = [], entrypoint, environment = {}, volumes = {}, limits = [] },
    ) => ({
      file: program,
      words: [
        ...['run', '--rm', '--name', name, '--init', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
        ...['--security-opt', 'no-new-privileges', ...limits],
        ...['--network', 'host', '--add-host', databaseHost.join(':')],
        ...Object.entries(environment).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
        ...Object.entries(volumes).flatMap(([path, from]) => ['--volume', `${from}:${path}:ro`]),
        ...(entrypoint === undefined ? [] : ['--entrypoint', entrypoint]),
        ...[image, ...words],
      ],
      env,
    }),
    exec: async (name, _pid, words) => ({ file: program, words: ['exec', name, ...words], env }),
    remove: async () => {
      if (built.length > 0) await call(program, 'image', 'rm', '--force', ...built);
    },
  };
};

const variables = (lines: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));

/**
 * Buildah as root. It builds images, but starts no container with a read-only file system. So a container is
 * a process with the file system, the user and the variables of the image, in a mount namespace.
 */
const buildah = (): Engine => {
  const folder = mkdtempSync(join(tmpdir(), 'triage-api-buildah-'));
  const storage = ['--storage-driver=vfs', `--root=${folder}/root`, `--runroot=${folder}/run`];
  const callIt = (...words: readonly string[]) => call('buildah', ...storage, ...words);
  const config = async (image: string): Promise<ImageConfig> =>
    decodeConfig(JSON.parse(await callIt('inspect', '--type', 'image', image)).Docker.config);
  const mounted = new Map<string, Promise<string>>();
  /** The file system of an image. Containers can share it, because they cannot write. */
  const rootOf = (image: string): Promise<string> => {
    const root = mounted.get(image) ?? callIt('from', image).then((container) => callIt('mount', container));
    mounted.set(image, root);
    return root;
  };
  /** Makes what files and folders can be mounted on. */
  const makePlaces = async (root: string, mounts: readonly (readonly [string, string])[]): Promise<void> => {
    for (const [path, from] of mounts) {
      const isFolder = (await stat(from)).isDirectory();
      await mkdir(join(root, isFolder ? path : dirname(path)), { recursive: true });
      if (!isFolder) await writeFile(join(root, path), '');
    }
  };
  return {
    about:
      'buildah: a container is a process with a read-only root in a mount namespace; not tried are namespaces ' +
      'of processes and of the network, a first process that reaps others, and limits on resources',
    pull: (image) => pulls(callIt('pull', image)),
    build: async (image, context, dockerfile, options = []) => {
      const how = ['--isolation', 'chroot', '--format', 'docker', ...options];
      await callIt('bud', ...how, '--tag', image, '--file', dockerfile, context);
    },
    config,
    container: async (image, name, { words, entrypoint, environment = {}, volumes = {} }) => {
      const { User, WorkingDir, Entrypoint, Cmd, Env } = await config(image);
      const root = await rootOf(image);
      const users = await readFile(join(root, 'etc/passwd'), 'utf8');
      const [, uid, gid] = new RegExp(`^${User}:[^:]*:(\\d+):(\\d+):`, 'm').exec(users) ?? [];
      const hosts = join(folder, `${name}-hosts`);
      await writeFile(hosts, `127.0.0.1 localhost\n${[...databaseHost].reverse().join(' ')}\n`);
      const mounts = Object.entries({ ...volumes, '/etc/hosts': hosts });
      await makePlaces(root, mounts);
      const script = [
        'set -e',
        `mount --bind '${root}' '${root}'`,
        `mount -t proc proc '${root}/proc'`,
        `mount --rbind /dev '${root}/dev'`,
        `mount -t tmpfs tmpfs '${root}/tmp'`,
        ...mounts.map(([path, from]) => `mount --bind -o ro '${from}' '${root}${path}'`),
        `mount -o remount,bind,ro '${root}'`,
        'exec "$@"',
      ].join('\n');
      // What the second `unshare` needs to change the root and the user; the program has none.
      const capabilities = '--bounding-set=-all,+sys_chroot,+setuid,+setgid';
      return {
        file: 'unshare',
        words: [
          ...['--mount', '--ipc', '--uts', 'sh', '-c', script, 'sh'],
          ...['setpriv', '--no-new-privs', capabilities],
          ...['unshare', `--root=${root}`, `--wd=${WorkingDir}`, `--setuid=${uid}`, `--setgid=${gid}`],
          ...(entrypoint === undefined ? Entrypoint : [entrypoint]),
          ...(words ?? (entrypoint === undefined ? Cmd : [])),
        ],
        env: { ...variables(Env), ...environment },
      };
    },
    exec: async (_name, pid, words) => {
      const { uid, gid } = await stat(`/proc/${pid}`);
      const env = variables((await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0'));
      const like = [`--target=${pid}`, '--mount', '--root', '--wd', `--setuid=${uid}`, `--setgid=${gid}`];
      return { file: 'nsenter', words: [...like, ...words], env };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const works = (program: string): boolean => spawnSync(program, ['info'], { stdio: 'ignore' }).status === 0;

/** The engines of this machine that can be used, the best one first. */
const engines: Readonly<Record<string, Readonly<{ works: () => boolean; open: () => Engine }>>> = {
  docker: { works: () => works('docker'), open: () => dockerOr('docker') },
  podman: { works: () => works('podman'), open: () => dockerOr('podman') },
  buildah: { works: () => process.getuid?.() === 0 && works('buildah'), open: buildah },
};

/** The name of an engine that can be used here, or null. `CONTAINER_ENGINE` names one to use. */
export const findEngine = (): string | null => {
  const { CONTAINER_ENGINE: wanted } = process.env;
  const names = process.platform === 'linux' ? Object.keys(engines) : [];
  const usable = names.filter((name) => wanted === undefined || name === wanted);
  return usable.find((name) => engines[name]?.works()) ?? null;
};

/** The command that starts the services of a compose file with Docker, or null. */
export const findCompose = (): string | null => {
  const { status } = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' });
  return status === 0 && works('docker') ? 'docker compose' : null;
};

export const openEngine = (): Engine => {
  const engine = engines[findEngine() ?? ''];
  if (engine === undefined)
    throw new Error('no engine for containers found: install docker, podman or buildah');
  return engine.open();
};
