import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { composed, madeSecrets, root, type Service } from '../_compose.js';
import { documentText } from '../_documented.js';
import { run } from '../_package.js';
import { talk } from '../_raw.js';
import { cookie } from '../_server.js';
import type { Running } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import { startEmbedded } from '../postgres/_embedded.js';
import { connected } from '../postgres/_postgres.js';
import { installed } from '../restore/_installed-postgres.js';
import type { ContainerOptions } from './_engine.js';
import { buildArguments, withImage } from './_image.js';

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
