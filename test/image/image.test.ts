import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext, type TestFn } from 'ava';
import { composed, madeSecrets, root, type Service } from '../_compose.js';
import { documentText } from '../_documented.js';
import { run } from '../_package.js';
import { talk } from '../_raw.js';
import { cookie } from '../_server.js';
import { type Finished, listenProgram, type Running, runProgram, unhurried } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { freePort, startEmbedded } from '../postgres/_embedded.js';
import { connected } from '../postgres/_postgres.js';
import { installed } from '../restore/_installed-postgres.js';
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
type TestImage = Readonly<{
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
const buildArguments = { VERSION: '1.2.3', REVISION: 'abcdef' };

/**
 * Builds the image before the tests of a file: on the base that the Dockerfile names or, where that cannot be
 * had, on one with the Node of this machine. Logs which, and what the containers lack.
 */
const withImage = (test: TestFn): (() => TestImage) => {
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

const image = withImage(test);
const page = documentText('deploy.md');

/** Stops a server while it reads a login, which is answered as always. */
const stopWithRequestInFlight = async (t: ExecutionContext, { url, end, shows }: Running): Promise<void> => {
  const body = JSON.stringify({ email: 'dana@acme.test', password: 'acme-password' });
  const head = [
    ...['POST /login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'],
    ...[`Content-Length: ${body.length}`, 'Expect: 100-continue'],
  ];
  const login = talk(url, `${head.join('\r\n')}\r\n\r\n`);
  await login.shows(/100 Continue/);
  const ended = end('SIGTERM');
  await shows('finishing requests in flight');
  login.send(body);
  const received = await login.shows(/(?!)/);
  const [, headers = '', answer = ''] =
    /\r\n\r\n(HTTP\/1\.1 200 OK\r\n[\s\S]*?)\r\n\r\n(.*)$/.exec(received) ?? [];
  t.regex(headers, new RegExp(`^Content-Length: ${answer.length}\r?$`, 'm'), received);
  t.is(JSON.parse(answer).user.id, 'usr_acme');
  const { code, err } = await ended;
  t.is(code, 0, err);
};

test('the build reads what it compiles and copies, no tests and no benchmarks', (t) => {
  const names = new Set(image().context.map((path) => path.replace(/\/.*/s, '')));
  const sources = ['bin', 'fixtures', 'schema', 'scripts', 'src'];
  const files = ['LICENSE', 'package-lock.json', 'package.json', 'tsconfig.json'];
  t.deepEqual([...names].sort(), [...files, ...sources].sort());
});

test('the image says what it is, who runs it, and how to check it', (t) => {
  const { config } = image();
  t.is(config.User, 'node');
  t.deepEqual([...config.Entrypoint, ...config.Cmd], ['node', 'bin/triage-api.js', 'serve']);
  t.deepEqual(config.Healthcheck.Test, ['CMD', 'node', 'bin/triage-api.js', 'healthcheck', '--live']);
  t.deepEqual(Object.keys(config.ExposedPorts), ['4000/tcp']);
  for (const each of ['NODE_ENV=production', 'TRIAGE_HOST=0.0.0.0']) t.true(config.Env.includes(each), each);
  t.like(config.Labels, {
    'org.opencontainers.image.title': 'triage-api',
    'org.opencontainers.image.licenses': 'MIT',
    'org.opencontainers.image.version': buildArguments.VERSION,
    'org.opencontainers.image.revision': buildArguments.REVISION,
  });
});

test('the application is small, belongs to root, and contains no packages and no sources', async (t) => {
  const listing = await image().evaluate(
    `fs.readdirSync('/app', { recursive: true, withFileTypes: true }).map((entry) => {
      const path = entry.parentPath + '/' + entry.name;
      const { uid, mode, size } = fs.statSync(path);
      return { path, size: entry.isFile() ? size : 0, isClosed: uid === 0 && (mode & 0o022) === 0 };
    })`,
  );
  const entries: readonly { path: string; size: number; isClosed: boolean }[] = JSON.parse(listing);
  const top = entries.map(({ path }) => path.replace('/app/', '')).filter((path) => !path.includes('/'));
  const files = ['LICENSE', 'THIRD-PARTY-LICENSES.txt', 'package.json', 'sbom.cdx.json'];
  t.deepEqual(top.sort(), [...files, 'bin', 'build', 'fixtures', 'schema'].sort());
  t.deepEqual(
    entries.filter(({ isClosed }) => !isClosed),
    [],
  );
  const bytes = entries.reduce((sum, { size }) => sum + size, 0);
  t.log(`${(bytes / 1_000_000).toFixed(1)} MB in /app`);
  t.true(bytes > 5_000_000 && bytes <= 30_000_000, `${bytes} bytes`);
});

test('a container runs as a user without rights, and can write nothing but temporary files', async (t) => {
  const found = await image().evaluate(
    `{
      status: fs.readFileSync('/proc/self/status', 'utf8'),
      written: ['/', '/app/', '/home/', '/tmp/', '/usr/', '/var/'].map((folder) => {
        try {
          fs.writeFileSync(folder + 'x', '');
          return folder;
        } catch (error) {
          return error.code;
        }
      }),
    }`,
  );
  const { status, written } = JSON.parse(found);
  t.regex(status, /^Uid:(?:\t1000){4}\n/m);
  t.regex(status, /^CapPrm:\t0+\nCapEff:\t0+\n/m);
  t.regex(status, /^NoNewPrivs:\t1\n/m);
  t.deepEqual(
    written.filter((each: string) => !['EROFS', 'ENOENT'].includes(each)),
    ['/tmp/'],
  );
  t.true(written.includes('EROFS'));
});

test('without a database, it serves the shipped fixtures behind a proxy, until SIGTERM', async (t) => {
  const [, words = ''] =
    /^docker run --init --publish 127\.0\.0\.1:4000:4000 triage-api (.*)$/m.exec(page) ?? [];
  t.regex(words, /^serve --trust-proxy --allowed-host /);
  const behindProxy = await image().listen(t, { words: words.split(' ') });
  const ask = async (path: string, host: string): Promise<number> => {
    const headers = { Cookie: 'session=acme-session', 'X-Forwarded-Host': host };
    const response = await fetch(`${behindProxy.url}${path}`, { headers });
    await response.text();
    return response.status;
  };
  const paths = ['/api/v1/findings', '/docs', '/login', '/explore', '/openapi.json', '/login/style.css'];
  for (const path of paths) t.is(await ask(path, 'triage.example.com'), 200, path);
  t.is(await ask('/api/v1/findings', 'evil.test'), 421);
  const [, ...check] = image().config.Healthcheck.Test;
  t.like(await behindProxy.exec(...check), { code: 0, out: 'alive\n' });
  t.is((await behindProxy.exec(...check, '--port', '1')).code, 1);
  t.is((await behindProxy.exec('node', '-p', 'process.getuid()')).out, '1000\n');
  await stopWithRequestInFlight(t, await image().listen(t));
});

test('it serves a folder of fixtures that is mounted, and runs other commands', async (t) => {
  for (const part of ['--volume "$PWD/mine:/mine:ro"', '--fixtures /mine'])
    t.true(page.includes(`\`${part}\``), part);
  const mine = { sessions: [{ value: 'mine' }], findings: [{ repo: 'acme/web', package: 'lodash' }] };
  const folder = await directoryWith(t, { 'mine.json': mine });
  await chmod(folder, 0o755);
  const { url } = await image().listen(t, {
    words: ['serve', '--fixtures', '/mine'],
    volumes: { '/mine': folder },
  });
  const response = await fetch(`${url}/api/v1/findings`, cookie('mine'));
  t.is(JSON.parse(await response.text()).totalItems, 1);
  for (const words of [['check', 'fixtures'], ['openapi'], ['generate', '/tmp/made'], ['verify', '--help']]) {
    const { code, err } = await image().run({ words });
    t.is(code, 0, `${words.join(' ')}: ${err}`);
  }
});

test('the services of compose.yaml set up a database, and serve it as a role that owns nothing', async (t) => {
  const { services } = await composed();
  const secrets = await madeSecrets(t);
  const server = await startEmbedded();
  let isStopped = false;
  const stopDatabase = async (): Promise<void> => {
    if (!isStopped) await server.stop();
    isStopped = true;
  };
  t.teardown(stopDatabase);
  const admin = server.url('triage');
  for (const name of ['migrate_url', 'app_url']) {
    const file = join(secrets, name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('@database:5432/', `@database:${new URL(admin).port}/`));
  }
  await connected(server.url('postgres'), (client) => client.query('CREATE DATABASE triage'));
  // As the image of PostgreSQL does.
  const sql = (await readFile(join(root, 'compose/roles.sql'), 'utf8')).replaceAll(
    '/run/secrets/',
    `${secrets}/`,
  );
  const roles = join(await directoryWith(t, { 'roles.sql': sql }), 'roles.sql');
  await run(installed('psql'), ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--file', roles, admin], root);

  const optionsOf = ({ environment, command, init, tmpfs, ...service }: Service): ContainerOptions => {
    t.true(init);
    t.deepEqual(tmpfs, ['/tmp']);
    const { mem_limit, cpus, pids_limit } = service;
    return {
      ...(command === undefined ? {} : { words: command }),
      environment,
      volumes: Object.fromEntries(
        service.secrets.map((name) => [`/run/secrets/${name}`, join(secrets, name)]),
      ),
      limits: ['--memory', mem_limit, '--cpus', String(cpus), '--pids-limit', String(pids_limit)],
    };
  };
  const migrated = await image().run(optionsOf(services.migrate));
  t.is(migrated.code, 0, migrated.err);
  const [, words = ''] = /`docker compose run --rm migrate (.*?)`/.exec(page) ?? [];
  const imported = await image().run({ ...optionsOf(services.migrate), words: words.split(' ') });
  t.is(imported.code, 0, imported.err);

  const api = await image().listen(t, optionsOf(services.api));
  t.is((await fetch(`${api.url}/readyz`)).status, 200);
  const response = await fetch(`${api.url}/api/v1/findings`, cookie('acme-session'));
  t.is(response.status, 200);
  t.true(JSON.parse(await response.text()).totalItems > 0);
  await stopWithRequestInFlight(t, api);

  const { username, password } = new URL(await readFile(join(secrets, 'app_url'), 'utf8'));
  await connected(Object.assign(new URL(admin), { username, password }).href, async (client) => {
    await t.throwsAsync(client.query('CREATE TABLE triage.mine ()'), { code: '42501' });
    await t.throwsAsync(client.query('SELECT * FROM triage.users'), { code: '42501' });
    const owned = 'SELECT FROM pg_class WHERE relowner = current_user::regrole';
    t.is((await client.query(owned)).rowCount, 0);
  });

  const second = await image().listen(t, optionsOf(services.api));
  const [, ...check] = image().config.Healthcheck.Test;
  await stopDatabase();
  t.is((await second.exec('node', 'bin/triage-api.js', 'healthcheck')).code, 1);
  t.like(await second.exec(...check), { code: 0, out: 'alive\n' });
});
