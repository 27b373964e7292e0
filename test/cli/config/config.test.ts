import { chmod, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { serveWith } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, run, runProcess } from '../_cli.js';

/** A directory with a config file. */
const withFile = async (t: Parameters<typeof directoryWith>[0], text: string) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'triage-api.config.json');
  await writeFile(file, text);
  return { directory, file };
};

const portIn = (out: string): string | undefined => /^ {2}port +(.*)$/m.exec(out)?.[1]?.replace(/ +/, ' ');

test('an option overrides the environment, which overrides the file, which overrides the default', async (t) => {
  const { file } = await withFile(t, '{\n  "strict": true,\n  "port": 4101\n}\n');
  const show = async (words: string, environment: Record<string, string> = {}) =>
    portIn((await run(`serve --print-config --config ${file}${words}`.split(' '), environment)).out);
  t.is(await show(''), `4101 ${file}:3`);
  t.is(await show('', { PORT: '4103' }), '4103 PORT');
  t.is(await show('', { PORT: '4103', TRIAGE_PORT: '4104' }), '4104 TRIAGE_PORT');
  t.is(await show(' --port 4105', { TRIAGE_PORT: '4104' }), '4105 --port');
  const printed = ['serve', '--print-config'];
  t.is(portIn((await run([...printed, '--no-config'], { TRIAGE_CONFIG: file })).out), '4000 default');
  t.is(portIn((await run(printed, { TRIAGE_CONFIG: file })).out), `4101 ${file}:3`);
});

test('a setting counts for every command that has it', async (t) => {
  const { file } = await withFile(t, '{ "port": 1, "open": false, "live": true, "timeout": 5000 }');
  const explored = await run(['explore', '--print-config', '--config', file]);
  t.is(portIn(explored.out), `1 ${file}:1`);
  t.regex(explored.out, /^ {2}open +false +.*json:1$/m);
  const { err } = await run(['healthcheck', '--config', file]);
  t.regex(err, /^not alive: http:\/\/127\.0\.0\.1:1\/healthz: /);
});

test('serve does what the file says; its paths are relative to the file', async (t) => {
  const { file, directory } = await withFile(
    t,
    JSON.stringify({ fixtures: './mock', strict: true, corsOrigin: ['https://app.example.com'] }),
  );
  await mkdir(join(directory, 'mock'));
  await writeFile(
    join(directory, 'mock/team.json'),
    '{ "findings": [{ "repo": "a/b", "package": "lodash" }] }',
  );
  const { url, err } = await listen(t, ['--config', file]);
  t.regex(
    err(),
    new RegExp(`^triage-api: mock data from ${directory}/mock, not the real service \\(${file}:1\\)\n`),
  );
  const headers = { Cookie: 'session=team-session', Origin: 'https://app.example.com' };
  const answer = await fetch(`${url}/api/v1/repos?x=1`, { headers });
  t.deepEqual(
    [answer.status, answer.headers.get('access-control-allow-origin')],
    [400, 'https://app.example.com'],
  );
  const checked = await run(['check', '--config', file]);
  t.deepEqual([checked.code, checked.err], [0, '']);
  t.regex(checked.out, /mock\/team\.json: /);
});

test('the file of the working directory is found, else the one beside the nearest package.json', async (t) => {
  const { directory } = await withFile(t, '{ "port": 4101, "state": "accounts" }');
  const inner = join(directory, 'packages', 'app');
  await mkdir(inner, { recursive: true });
  const printed = (cwd: string) => runProcess(['serve', '--print-config'], {}, cwd);
  const show = async (cwd: string) => {
    const { out, err } = await printed(cwd);
    return err || portIn(out);
  };
  t.is(await show(directory), '4101 triage-api.config.json:1');
  t.is(await show(inner), '4000 default', 'there is no package.json');
  await writeFile(join(directory, 'package.json'), '{}');
  const above = join(await realpath(directory), 'triage-api.config.json');
  t.is(await show(inner), `4101 ${above}:1`);
  const { out } = await printed(inner);
  t.true(out.includes(`  ${join(dirname(above), 'accounts')}  `), 'a path is relative to the file');
  await writeFile(join(inner, 'package.json'), '{}');
  t.is(await show(inner), '4000 default', 'a package within');
});

test('a secret is not printed', async (t) => {
  const secret = 'postgres://who:top-secret@127.0.0.1/x';
  const { file } = await withFile(t, JSON.stringify({ databaseUrl: secret, session: 'top-secret' }));
  const printed = await run(['serve', '--print-config', '--config', file], {
    TRIAGE_ADMIN_TOKEN: 'top-secret-of-the-admin',
  });
  t.deepEqual([printed.code, printed.err], [0, '']);
  t.false(printed.out.includes('top-secret'));
  t.true(printed.out.startsWith(`config file: ${file}\n`));
  t.regex(printed.out, /^ {2}databaseUrl +\(secret\) +.*json:1$/m);
  t.regex(printed.out, /^ {2}adminToken +\(secret\) +TRIAGE_ADMIN_TOKEN$/m);
  const wrong = await withFile(
    t,
    JSON.stringify({ databaseUrl: 'mysql://top-secret', token: ['top-secret'] }),
  );
  const { code, err } = await run(['check', '--config', wrong.file]);
  t.is(code, 2);
  t.false(err.includes('top-secret'));
});

test('a switch that is turned off on the command line comes from the option that does so', async (t) => {
  const { out } = await run(['serve', '--print-config', '--strict', '--no-strict', '--quiet']);
  t.regex(out, /^ {2}strict +false +--no-strict$/m);
  t.regex(out, /^ {2}quiet +true +--quiet$/m);
});

test('what is wrong with the settings follows what is printed', async (t) => {
  const invalid = await run(['serve', '--print-config'], { TRIAGE_PORT: 'x', HOST: 'laptop' });
  t.is(invalid.code, 2);
  t.is(invalid.err, 'environment variable TRIAGE_PORT: expected a port from 0 to 65535, got "x"\n');
  t.regex(invalid.out, /^ {2}port +x +TRIAGE_PORT$/m);
  t.regex(invalid.out, /^ {4}HOST is ignored: expected an IP address or localhost, got "laptop"/m);
  const conflict = '--cert needs --https\n';
  t.like(await run(['serve', '--cert', 'a.pem']), { code: 2, err: conflict });
  const printed = await run(['serve', '--print-config', '--cert', 'a.pem']);
  t.like(printed, { code: 2, err: conflict });
  t.regex(printed.out, /^ {2}cert +a\.pem +--cert$/m);
});

test('data of two kinds is refused with the places that name it', async (t) => {
  const { file } = await withFile(t, '{ "fixtures": "mock" }');
  const named = await run(['serve', '--config', file], { TRIAGE_DATABASE_URL: 'postgres://127.0.0.1/x' });
  const expected = `--fixtures (${file}:1) and --database-url (TRIAGE_DATABASE_URL) cannot be used together; choose one\n`;
  t.deepEqual([named.code, named.err], [2, expected]);
});

test('credentials of the environment are not sent to the URL of a file that was only found', async (t) => {
  const requests: unknown[] = [];
  const url = await serveWith(t, ({ headers }, response) => {
    requests.push(headers.cookie ?? headers.authorization);
    response.end();
  });
  const { directory, file } = await withFile(t, `{\n"url": "${url}",\n"left": "${url}", "right": "${url}" }`);
  const secret = join(directory, 'secret');
  await writeFile(secret, 'top-secret-token');
  const environment = { TRIAGE_SESSION: 'top-secret-session', TRIAGE_TOKEN_FILE: secret };
  const refused = (names: string, line: number) =>
    `${names}: not sent to the URL of triage-api.config.json:${line}, because that file was only found; name the file with --config, or pass the URL as an option\n`;
  for (const [words, names, line] of [
    [['verify'], 'TRIAGE_SESSION and TRIAGE_TOKEN_FILE', 2],
    [['diff'], 'TRIAGE_SESSION and TRIAGE_TOKEN_FILE', 3],
    [['record', 'x.json'], 'TRIAGE_SESSION', 2],
  ] as const)
    t.deepEqual(await runProcess(words, environment, directory), {
      code: 2,
      out: '',
      err: refused(names, line),
    });
  t.deepEqual(requests, []);
  for (const words of [
    ['--config', file],
    ['--url', url],
  ]) {
    const { code, err } = await runProcess(['record', 'x.json', ...words], environment, directory);
    t.is(code, 1, err);
  }
  t.is(requests.length, 2);
});

const bad: readonly (readonly [text: string, expected: string])[] = [
  ['', ':1:1: the file is empty'],
  ['[]', ':1:1: expected an object of settings, got an array of 0'],
  ['null', ':1:1: expected an object of settings, got null'],
  ['{ "port": 4000', ':1:15: unexpected end of file: missing closing brace'],
  ['{ // x\n}', ':1:3: comments are not allowed in JSON'],
  ['{ "port": 1,\n "port": 2 }', ':2:2 /port: duplicate key "port"'],
  ['{ "port": 4000.5 }', ':1:11 /port: expected a number, a port from 0 to 65535, got 4000.5'],
  ['{ "port": null }', ':1:11 /port: expected a number, a port from 0 to 65535, got null'],
  ['{ "port": 70000 }', ':1:11 /port: expected a port from 0 to 65535, got 70000'],
  ['{ "fixtures": "a\\u0000b" }', ':1:15 /fixtures: the character U+0000 is not allowed here'],
  ['{ "prot": 4000 }', ':1:11 /prot: unknown key; did you mean "port"?'],
  [
    '{ "verify": { "rate": 5 } }',
    ':1:13 /verify: unknown key; settings are not grouped: write each at the top level, as in { "port": 4000 }',
  ],
  ['{ "yes": true }', ':1:10 /yes: a config file cannot set this; use --yes or TRIAGE_YES'],
  [
    '{ "storage": "./mine.js" }',
    ':1:14 /storage: a config file cannot set this; use --storage or TRIAGE_STORAGE',
  ],
  ['{ "__proto__": {} }', ':1:16 /__proto__: unknown key'],
  [
    '{ "signupPersona": ["a", 5] }',
    ':1:20 /signupPersona: expected names, with commas between them, got an array of 2',
  ],
  [`${'['.repeat(100_000)}`, ':1:1: values are nested more than 500 levels deep'],
  [`// "\n${'['.repeat(100_000)}`, ':1:1: comments are not allowed in JSON'],
];

for (const [text, expected] of bad) {
  test(`a file with mistakes is refused, with their places: ${text.slice(0, 40)}`, async (t) => {
    const { file } = await withFile(t, text);
    for (const words of [['check'], ['serve'], ['healthcheck']]) {
      const { code, out, err } = await run([...words, '--config', file]);
      t.deepEqual([code, out], [2, '']);
      t.true(err.startsWith(`${file}${expected}`), err.slice(0, 300));
    }
  });
}

test('a file that cannot be read is refused', async (t) => {
  const { directory, file } = await withFile(t, '\uFEFF{}');
  const refusal = async (path: string) => {
    const { code, err } = await run(['check', '--config', path]);
    t.is(code, 2);
    return err;
  };
  t.regex(await refusal(file), /: the file starts with a byte-order mark;/);
  t.regex(await refusal(`${file}x.json`), /: the file cannot be read: ENOENT: /);
  const named = await run(['check'], { TRIAGE_CONFIG: 'no.json' });
  t.regex(named.err, /no\.json:1:1: the file cannot be read: /);
  for (const path of [directory, '/dev/zero']) t.is(await refusal(path), `${path}:1:1: not a regular file\n`);
  await writeFile(join(directory, 'utf16.json'), Buffer.from('\uFEFF{"port":4100}', 'utf16le'));
  t.regex(await refusal(join(directory, 'utf16.json')), /: the file is not valid UTF-8\n$/);
  if (process.getuid?.() !== 0) {
    await writeFile(file, '{}');
    await chmod(file, 0o000);
    t.regex(await refusal(file), /: the file cannot be read: /);
  }
});

test('what is found under the name of the config file and is no file is refused', async (t) => {
  const directory = await directoryWith(t, {});
  const place = join(directory, 'triage-api.config.json');
  const printed = () => runProcess(['serve', '--print-config'], {}, directory);
  await mkdir(place);
  t.like(await printed(), { code: 2, err: 'triage-api.config.json:1:1: not a regular file\n' });
  await rm(place, { recursive: true });
  await symlink('nowhere', place);
  t.regex((await printed()).err, /^triage-api\.config\.json:1:1: the file cannot be read: /);
});
