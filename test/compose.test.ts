import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import * as t from 'io-ts';
import { serveOptions } from '../src/cli/serve/serve-options.js';
import { variableOf } from '../src/cli/settings/option.js';
import { listen, run } from './cli/_cli.js';
import { directoryWith } from './storage/memory/_directory.js';
import { connected, urlWith, withPostgres } from './storage/postgres/_postgres.js';

const { emptyDatabase } = withPostgres(test);

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (name: string): Promise<string> => readFile(join(root, name), 'utf8');

const Service = t.intersection([
  t.type({
    read_only: t.literal(true),
    cap_drop: t.tuple([t.literal('ALL')]),
    security_opt: t.tuple([t.literal('no-new-privileges:true')]),
    tmpfs: t.array(t.string),
    mem_limit: t.string,
    cpus: t.number,
    pids_limit: t.number,
    environment: t.record(t.string, t.string),
    secrets: t.array(t.string),
    restart: t.string,
  }),
  t.partial({
    image: t.string,
    build: t.string,
    init: t.boolean,
    command: t.array(t.string),
    cap_add: t.array(t.string),
    ports: t.array(t.string),
    stop_grace_period: t.string,
  }),
]);
const Compose = t.type({
  services: t.type({ database: Service, migrate: Service, api: Service }),
  secrets: t.record(t.string, t.type({ file: t.string })),
});

/** `compose.yaml`, by the YAML parser of the OpenAPI parser. */
const composed = async (): Promise<t.TypeOf<typeof Compose>> => {
  const { resolve } = createRequire(import.meta.url);
  const yaml: unknown = createRequire(resolve('@apidevtools/swagger-parser'))('js-yaml');
  const parsed: unknown = Object(yaml).load(await read('compose.yaml'));
  if (!Compose.is(parsed)) throw new Error('compose.yaml lacks a setting of a service');
  return parsed;
};

/** An image by tag, for people, and by digest, for the build. */
const pinned = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

test('every service is restricted, and none gets a secret in its environment', async (t) => {
  const { services, secrets } = await composed();
  for (const [name, service] of Object.entries(services)) {
    t.true(service.image === undefined ? service.build === '.' : pinned.test(service.image), name);
    for (const [variable, value] of Object.entries(service.environment)) {
      t.notRegex(`${variable}=${value}`, /password=|URL=|:\/\//i, name);
      const file = /^\/run\/secrets\/(\w+)$/.exec(value)?.[1];
      t.is(variable.endsWith('_FILE'), file !== undefined, variable);
      if (file !== undefined) t.true(service.secrets.includes(file), variable);
    }
    for (const secret of service.secrets) t.is(secrets[secret]?.file, `./secrets/${secret}`);
    t.deepEqual(service.cap_add ?? [], name === 'database' ? service.cap_add : [], name);
    for (const port of service.ports ?? []) t.regex(port, /^127\.0\.0\.1:/, name);
  }
});

test('the API has the secret of its own role only, and time to drain and finish', async (t) => {
  const { api } = (await composed()).services;
  t.deepEqual(api.secrets, ['app_url']);
  t.true(api.init);
  const known = Object.values(serveOptions).map(variableOf);
  for (const variable of Object.keys(api.environment)) {
    t.true(known.includes(variable.replace(/_FILE$/, '')), variable);
  }
  const drain = Number(api.environment.TRIAGE_DRAIN);
  t.true(drain > 0);
  t.true(Number(/^(\d+)s$/.exec(api.stop_grace_period ?? '')?.[1]) * 1000 > drain + 10_000);
});

test('the images are pinned, labelled, run as an unprivileged user and are checked for life', async (t) => {
  const dockerfile = await read('Dockerfile');
  const bases = Array.from(
    dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm),
    ([, image = '']) => image,
  );
  t.is(bases.length, 2);
  t.is(new Set(bases).size, 1);
  for (const base of bases) t.regex(base, pinned);
  const { version, license } = JSON.parse(await read('package.json'));
  t.true(dockerfile.includes(`ARG VERSION=${version}\n`));
  t.true(dockerfile.includes(`org.opencontainers.image.licenses="${license}"`));
  for (const label of ['title', 'description', 'version', 'revision']) {
    t.true(dockerfile.includes(`org.opencontainers.image.${label}=`), label);
  }
  t.regex(dockerfile, /^USER node$/m);
  t.regex(dockerfile, /^HEALTHCHECK .*\n +CMD \["node", "bin\/triage-api\.js", "healthcheck", "--live"\]$/m);
});

test('what the image copies is all that the program needs', async (t) => {
  const [, final = ''] = (await read('Dockerfile')).split(/^FROM .*\n(?![\s\S]*^FROM)/m);
  const copies = Array.from(final.matchAll(/^COPY (?:--from=build \/app\/)?(.+) (\S+)$/gm));
  t.true(copies.length >= 7, final);
  const directory = await directoryWith(t, {});
  for (const [, sources = '', target = ''] of copies) {
    for (const source of sources.split(' ')) {
      const to = target === './' ? join(directory, source) : join(directory, target);
      await mkdir(dirname(to), { recursive: true });
      await cp(join(root, source), to, { recursive: true });
    }
  }
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  const program = promisify(execFile)(process.execPath, [join(directory, 'bin/triage-api.js'), 'openapi'], {
    cwd: directory,
  });
  t.regex((await program).stdout, /"openapi"/);
  const migrate = await promisify(execFile)(
    process.execPath,
    [join(directory, 'bin/triage-api.js'), 'db', 'migrate', '--database-url', await emptyDatabase(t)],
    { cwd: directory },
  );
  t.regex(migrate.stdout, /^applied 0001_schema$/m);
  const check = await promisify(execFile)(
    process.execPath,
    [join(directory, 'bin/triage-api.js'), 'check', 'fixtures'],
    { cwd: directory },
  );
  t.regex(check.stdout, /acme/);
});

/** Makes the secrets in a copy of the folder, and gives the directory they are in. */
const madeSecrets = async (t: ExecutionContext): Promise<string> => {
  const directory = await directoryWith(t, {});
  await cp(join(root, 'compose'), join(directory, 'compose'), { recursive: true });
  await promisify(execFile)('sh', [join(directory, 'compose/make-secrets.sh')]);
  return join(directory, 'secrets');
};

test('the secrets are random, readable in containers, closed to other users, and kept', async (t) => {
  const [first, second] = [await madeSecrets(t), await madeSecrets(t)];
  const names = Object.keys((await composed()).secrets);
  const contents = (directory: string) =>
    Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  const before = await contents(first);
  t.is(new Set([...before, ...(await contents(second))]).size, 2 * names.length);
  await promisify(execFile)('sh', [join(dirname(first), 'compose/make-secrets.sh')]);
  t.deepEqual(await contents(first), before);
  t.is((await stat(first)).mode & 0o777, 0o700);
  for (const name of names) t.is((await stat(join(first, name))).mode & 0o777, 0o644, name);
  for (const text of before) t.regex(text, /[0-9a-f]{48}/);
  await chmod(first, 0o700);
});

// Until `migrate` can set up roles.
test('the commands of the file set up a database that the API serves as a role that owns nothing', async (t) => {
  const { services } = await composed();
  const secrets = await madeSecrets(t);
  const admin = await emptyDatabase(t);
  const { host, pathname } = new URL(admin);
  const suffix = `_${process.pid}`;
  /** The URL in a secret, for the database of this test. */
  const urlOf = async (name: string): Promise<string> => {
    const { username, password } = new URL(await readFile(join(secrets, name), 'utf8'));
    return Object.assign(new URL(urlWith(admin, { username: username + suffix, password })), {
      host,
      pathname,
    }).href;
  };
  const [asMigrate, asApp] = [await urlOf('migrate_url'), await urlOf('app_url')];
  const sql = (await read('compose/roles.sql'))
    .replaceAll(/^\\set.*\n/gm, '')
    .replace(":'migrate_password'", `'${new URL(asMigrate).password}'`)
    .replace(":'app_password'", `'${new URL(asApp).password}'`)
    .replaceAll('triage_', `triage${suffix}_`)
    .replaceAll(/triage(_\d+)_(migrate|app)/g, 'triage_$2$1')
    .replace('DATABASE triage ', `DATABASE ${pathname.slice(1)} `);
  await connected(admin, (client) => client.query(sql));
  t.teardown(() =>
    connected(admin, async (client) => {
      await client.query(`ALTER DATABASE ${pathname.slice(1)} OWNER TO CURRENT_USER`);
      const { rows } = await client.query('SELECT rolname FROM pg_roles WHERE rolname LIKE $1', [
        `triage%\\${suffix}%`,
      ]);
      for (const { rolname } of rows) await client.query(`DROP OWNED BY ${rolname} CASCADE`);
      for (const { rolname } of rows) await client.query(`DROP ROLE ${rolname}`);
    }),
  );
  const migrated = await run([...(services.migrate.command ?? []), '--role-prefix', `triage${suffix}`], {
    TRIAGE_DATABASE_URL: asMigrate,
  });
  t.is(migrated.code, 0, migrated.err);
  const imported = await run(['db', 'import', join(root, 'fixtures')], { TRIAGE_DATABASE_URL: asMigrate });
  t.is(imported.code, 0, imported.err);
  const { url } = await listen(t, [], { TRIAGE_DATABASE_URL: asApp });
  t.is((await fetch(`${url}/readyz`)).status, 200);
  const headers = { Cookie: 'session=acme-session' };
  t.is((await fetch(`${url}/api/v1/findings`, { headers })).status, 200);
  await connected(asApp, async (client) => {
    await t.throwsAsync(client.query('CREATE TABLE triage.mine ()'), { code: '42501' });
    await t.throwsAsync(client.query('SELECT * FROM triage.users'), { code: '42501' });
  });
  await connected(admin, async (client) => {
    const { rows } = await client.query(
      `SELECT count(*)::int AS owned FROM pg_class WHERE relowner = $1::regrole`,
      [new URL(asApp).username],
    );
    t.is(rows[0].owned, 0);
  });
});
