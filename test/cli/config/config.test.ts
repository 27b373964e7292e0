import { lchown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { displayPath } from '../../../src/cli/output/text.js';
import { findConfig } from '../../../src/cli/settings/find-config.js';
import { serveWith } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, run, runProcess } from '../_cli.js';

/** A directory with a config file. */
const withFile = async (t: ExecutionContext, text: string) => {
  const directory = await directoryWith(t, { 'triage-api.config.json': text });
  return { directory, file: join(directory, 'triage-api.config.json') };
};

const secret = 'postgres://who:top-secret@127.0.0.1/x';

test('--print-config shows every value with its origin, but no secret, and then what is wrong', async (t) => {
  const { file } = await withFile(
    t,
    `{\n  "strict": true,\n  "port": 4101,\n "databaseUrl": "${secret}" }\n`,
  );
  const named = ['--config', file];
  const ofPort = 'environment variable TRIAGE_PORT: expected a port from 0 to 65535, got "x"\n';
  for (const [words, environment, line, err] of [
    [named, {}, `port 4101 ${file}:3`, ''],
    [named, { TRIAGE_PORT: '4104' }, 'port 4104 TRIAGE_PORT', ''],
    [[], { TRIAGE_CONFIG: file }, `port 4101 ${file}:3`, ''],
    [['--no-config'], { TRIAGE_CONFIG: file }, 'port 4000 default', ''],
    [named, {}, `databaseUrl (secret) ${file}:4`, ''],
    [[], { TRIAGE_ADMIN_TOKEN: 'top-secret-of-the-admin' }, 'adminToken (secret) TRIAGE_ADMIN_TOKEN', ''],
    [[...named, '--strict', '--no-strict'], {}, 'strict false --no-strict', ''],
    [[], { TRIAGE_PORT: 'x' }, 'port x TRIAGE_PORT', ofPort],
    [[], { HOST: 'laptop' }, 'HOST is ignored: expected an IP address or localhost, got "laptop"', ''],
    [['--cert', 'a.pem'], {}, 'cert a.pem --cert', '--cert needs --https\n'],
  ] as const) {
    const printed = await run(['serve', '--print-config', ...words], environment);
    t.deepEqual([printed.code, printed.err], [err === '' ? 0 : 2, err], line);
    t.true(printed.out.replaceAll(/ +/g, ' ').includes(`\n ${line}`), printed.out);
    t.false(printed.out.includes('top-secret'));
  }
});

test('a config file sets options of every command, and its paths are relative to the file', async (t) => {
  const content = { fixtures: './mock', strict: true, corsOrigin: ['https://app.example.com'], open: false };
  const { file, directory } = await withFile(t, JSON.stringify({ ...content, session: 'top-secret' }));
  await mkdir(join(directory, 'mock'));
  const fixture = { findings: [{ repo: 'a/b', package: 'lodash' }] };
  await writeFile(join(directory, 'mock/team.json'), JSON.stringify(fixture));
  const { url, err } = await listen(t, ['--config', file]);
  const banner = `triage-api: mock data from ${directory}/mock, not the real service (${file}:1)\n`;
  t.true(err().startsWith(banner), err());
  const headers = { Cookie: 'session=team-session', Origin: 'https://app.example.com' };
  const answer = await fetch(`${url}/api/v1/repos?x=1`, { headers });
  const origin = answer.headers.get('access-control-allow-origin');
  t.deepEqual([answer.status, origin], [400, 'https://app.example.com']);
  const checked = await run(['check', '--config', file]);
  t.deepEqual([checked.code, checked.err], [0, '']);
  t.regex(checked.out, /mock\/team\.json: /);
  t.regex((await run(['explore', '--print-config', '--config', file])).out, /^ {2}open +false +.*json:1$/m);
  const both = await run(['serve', '--config', file], { TRIAGE_DATABASE_URL: secret });
  const conflict = `--fixtures (${file}:1) and --database-url (TRIAGE_DATABASE_URL) cannot be used together`;
  t.deepEqual([both.code, both.err], [2, `${conflict}; choose one\n`]);
});

test('credentials of the environment are not sent to the URL of a file that was only found', async (t) => {
  const requests: unknown[] = [];
  const url = await serveWith(t, ({ headers }, response) => {
    requests.push(headers.cookie ?? headers.authorization);
    response.end();
  });
  const { directory, file } = await withFile(t, JSON.stringify({ url, left: url, right: url }));
  const tokenFile = join(directory, 'secret');
  await writeFile(tokenFile, 'top-secret-token');
  const environment = { TRIAGE_SESSION: 'top-secret-session', TRIAGE_TOKEN_FILE: tokenFile };
  const reason =
    'not sent to the URL of triage-api.config.json:1, because that file was only found; name the file with --config, or pass the URL as an option';
  const err = `TRIAGE_SESSION and TRIAGE_TOKEN_FILE: ${reason}\n`;
  t.deepEqual(await runProcess(['diff'], environment, directory), { code: 2, out: '', err });
  t.deepEqual(requests, []);
  const record = ['record', join(directory, 'x.json')];
  await run([...record, '--config', file], environment);
  await run([...record, '--url', url], environment);
  t.is(requests.length, 2);
});

/** Contents of files, and why they are refused, with the place. */
const bad = String.raw`
{ "port": 4000 -> :1:15: unexpected end of file: missing closing brace
{ "port": null } -> :1:11 /port: expected a number, a port from 0 to 65535, got null
{ "port": "4000" } -> :1:11 /port: expected a number, a port from 0 to 65535, got "4000"
{ "watch": "yes" } -> :1:12 /watch: expected true or false, got "yes"
{ "databaseUrl": "mysql://top-secret" } -> :1:18 /databaseUrl: expected a URL such as
{ "fixtures": "a\u0000b" } -> :1:15 /fixtures: the character U+0000 is not allowed here
{ "verify": { "rate": 5 } } -> :1:13 /verify: unknown key; settings are not grouped: write each at the top level
{ "yes": true } -> :1:10 /yes: a config file cannot set this; use --yes or TRIAGE_YES
{ "__proto__": {} } -> :1:16 /__proto__: unknown key
{ "signupPersona": ["a", 5] } -> :1:20 /signupPersona: expected names, with commas between them, got`
  .trim()
  .split('\n')
  .map((line) => line.split(' -> '));

test('a config file with a mistake is refused, with its place, and no secret of it is shown', async (t) => {
  for (const [text = '', expected] of [
    ...bad,
    ['', ':1:1: the file is empty'],
    ['{ // x\n}', ':1:3: comments are not allowed in JSON'],
    ['{ "port": 1,\n "port": 2 }', ':2:2 /port: duplicate key "port"'],
    ['['.repeat(100_000), ':1:1: values are nested more than 500 levels deep'],
    [Buffer.from('\uFEFF{"port":4100}', 'utf16le'), ':1:1: the file is not valid UTF-8\n'],
  ]) {
    const file = join(await directoryWith(t, { 'x.json': text }), 'x.json');
    const { code, out, err } = await run(['check', '--config', file]);
    t.deepEqual([code, out], [2, ''], `${expected}`);
    t.true(err.startsWith(`${file}${expected}`), err.slice(0, 300));
    t.false(err.includes('top-secret'));
  }
});

test('a config file that is no regular file is refused, also where it is only found', async (t) => {
  const directory = await directoryWith(t, {});
  const missing = join(directory, 'no.json');
  for (const [path, message] of [
    [missing, ': there is no such file, which --config names\n'],
    [directory, ':1:1: not a regular file'],
    ['/dev/zero', ':1:1: not a regular file'],
  ] as const) {
    const { code, err } = await run(['check', '--config', path]);
    t.deepEqual([code, err.startsWith(`${path}${message}`)], [2, true], err);
  }
  await symlink('nowhere', join(directory, 'triage-api.config.json'));
  const { code, err } = await runProcess(['serve', '--print-config'], {}, directory);
  t.is(code, 2);
  t.regex(err, /^triage-api\.config\.json:1:1: the file cannot be read: ENOENT/);
});

const own = process.getuid?.() ?? 0;

/** Somebody to whom no file of the tests belongs, unless root gives it to them, and somebody else. */
const [user, stranger] = own === 0 ? [4242, 4243] : [own, own + 1];

/** Gives a file to `user`, which it belongs to already unless root runs the tests. */
const give = (path: string, to = user): Promise<void> =>
  own === 0 ? lchown(path, to, to) : Promise.resolve();

const configName = 'triage-api.config.json';

/** The file that somebody finds in a directory, or why it is not read. */
const found = (by: number | null, directory: string, option?: string): string => {
  const parsed = { getOptionValue: () => option, getOptionValueSource: () => 'cli' };
  const config = findConfig(parsed, {}, by, directory);
  return E.isLeft(config) ? config.left : (config.right?.file ?? 'none');
};

const refusal = (path: string): string =>
  `${displayPath(path)} belongs to another user; name a config file that you trust with --config, or read none with --no-config`;

test('the config file of the directory is used, else the one beside the nearest package.json, and only an own one or one of root', async (t) => {
  const directory = await directoryWith(t, { 'package.json': '{}', [configName]: '{ "port": 4101 }' });
  const [file, inner] = [join(directory, configName), join(directory, 'inner')];
  const deeper = join(inner, 'deeper');
  await mkdir(deeper, { recursive: true });
  await give(file);
  const shown = displayPath(file);
  for (const [by, from, option, expected] of [
    [user, directory, undefined, shown],
    [null, directory, undefined, shown],
    [null, deeper, undefined, shown],
    [user, join(inner, 'nothing'), undefined, shown],
    [stranger, directory, undefined, refusal(file)],
    [stranger, inner, undefined, refusal(file)],
    [stranger, directory, file, shown],
    [null, directory, '', '--config: expected text that is not empty, got ""'],
  ] as const)
    t.is(found(by, from, option), expected, from);
  // Only root can give a file away, and is refused one that it has given away.
  if (own === 0)
    t.deepEqual(await runProcess(['serve', '--print-config'], {}, directory), {
      code: 2,
      out: '',
      err: `${refusal(configName)}\n`,
    });
  await give(file, own);
  if (own === 0) t.is(found(stranger, directory), shown);
  await writeFile(join(inner, 'package.json'), '{}');
  t.is(found(null, deeper), 'none', 'a package within');
  await writeFile(join(deeper, configName), '{}');
  t.is(found(null, deeper), displayPath(join(deeper, configName)));
});

test('a config file that is a link of another user, or to a file of another user, is refused', async (t) => {
  const directory = await directoryWith(t, { 'theirs.json': '{}' });
  const [file, link] = [join(directory, 'theirs.json'), join(directory, configName)];
  await symlink(file, link);
  await give(file);
  t.is(found(stranger, directory), refusal(link));
  await give(link);
  t.is(found(user, directory), displayPath(link));
  await give(file, own);
  t.is(found(stranger, directory), refusal(link));
});
