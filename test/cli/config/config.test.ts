import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { directoryWith } from '../../storage/memory/_directory.js';
import { listen, run, runProcess } from '../_cli.js';

/** A directory with one file of text. */
const withFile = async (
  t: Parameters<typeof directoryWith>[0],
  text: string,
  name = 'triage-api.config.json',
) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, name);
  await writeFile(file, text);
  return { directory, file };
};

const portIn = (out: string): string | undefined => /^ {2}port +(.*)$/m.exec(out)?.[1]?.replace(/ +/, ' ');

test('an option overrides the environment, which overrides the file, which overrides the default', async (t) => {
  const { file } = await withFile(t, '{\n  "port": 4101,\n  "healthcheck": { "port": 4102 }\n}\n');
  const show = async (words: string, environment: Record<string, string> = {}) =>
    portIn((await run(`config --config ${file} ${words}`.split(' '), environment)).out);
  t.is(await show('serve'), `4101 ${file}:2`);
  t.is(await show('serve', { PORT: '4103' }), '4103 PORT');
  t.is(await show('serve', { PORT: '4103', TRIAGE_PORT: '4104' }), '4104 TRIAGE_PORT');
  t.is(await show('serve --port 4105', { TRIAGE_PORT: '4104' }), '4105 --port');
  t.is(await show('healthcheck'), `4102 ${file}:3`);
  t.is(portIn((await run(['config', 'serve', '--no-config'], { TRIAGE_CONFIG: file })).out), '4000 default');
  t.is(portIn((await run(['config', 'serve'], { TRIAGE_CONFIG: file })).out), `4101 ${file}:2`);
});

test('serve does what the file says; its paths are relative to the file', async (t) => {
  const { file, directory } = await withFile(
    t,
    JSON.stringify({ fixtures: './mock', serve: { strict: true, corsOrigin: ['https://app.example.com'] } }),
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

test('the file of the working directory is found, or the key of its package.json, and no other', async (t) => {
  const { directory } = await withFile(t, '\uFEFF{ "port": 4101 }');
  const inner = join(directory, 'inner');
  await mkdir(inner);
  const show = async (cwd: string) => {
    const { out, err } = await runProcess(['config', 'serve'], {}, cwd);
    return err || portIn(out);
  };
  t.is(await show(directory), '4101 triage-api.config.json:1');
  t.is(await show(inner), '4000 default');
  await writeFile(join(inner, 'package.json'), '{ "name": "x" }');
  t.is(await show(inner), '4000 default');
  await writeFile(join(inner, 'package.json'), '{ "name": x }');
  t.is(
    await show(inner),
    '4000 default',
    'whatever is wrong with a package.json that is none of our business',
  );
  await writeFile(join(inner, 'package.json'), '{\n"name": "x",\n"triageApi": { "port": 4102 } }');
  t.is(await show(inner), '4102 package.json:3');
  await writeFile(join(inner, 'triage-api.config.json'), '{}');
  t.is(
    await show(inner),
    'triage-api.config.json and triageApi in package.json both have settings; keep one of them\n',
  );
});

test('a secret does not belong in package.json, and is not printed', async (t) => {
  const secret = 'postgres://who:top-secret@127.0.0.1/x';
  const inPackage = await withFile(t, JSON.stringify({ triageApi: { databaseUrl: secret } }), 'package.json');
  const refused = await run(['config', '--config', inPackage.file]);
  t.is(refused.code, 2);
  t.is(
    refused.err,
    `${inPackage.file}:1:29 /triageApi/databaseUrl: package.json is committed and published, so it must not contain a secret; set TRIAGE_DATABASE_URL or TRIAGE_DATABASE_URL_FILE\n`,
  );
  const { file } = await withFile(t, JSON.stringify({ databaseUrl: secret, session: 'top-secret' }));
  for (const words of [['config'], ['config', '--json']]) {
    const { code, out, err } = await run([...words, '--config', file]);
    t.deepEqual([code, err], [0, '']);
    t.false(out.includes('top-secret'));
    t.true(out.includes(file));
  }
  const wrong = await withFile(
    t,
    JSON.stringify({ databaseUrl: 'mysql://top-secret', token: ['top-secret'] }),
  );
  const { code, err } = await run(['check', '--config', wrong.file]);
  t.is(code, 2);
  t.false(err.includes('top-secret'));
});

test('a switch that is turned off on the command line comes from the option that does so', async (t) => {
  const { out } = await run(['config', 'serve', '--strict', '--no-strict', '--quiet']);
  t.regex(out, /^ {2}strict +false +--no-strict$/m);
  t.regex(out, /^ {2}quiet +true +--quiet$/m);
});

test('config prints JSON for programs', async (t) => {
  const { file } = await withFile(t, '{ "rate": 5 }');
  const { out } = await run(['config', 'verify', '--config', file], { TRIAGE_TOKEN: 'top-secret' });
  t.regex(out, /^ {2}token +\(secret\) +TRIAGE_TOKEN$/m);
  const json = await run(['config', '--json', '--config', file], { TRIAGE_TOKEN: 'top-secret' });
  const { commands } = JSON.parse(json.out);
  t.deepEqual(commands.verify.rate, { value: 5, source: 'file', from: `${file}:1` });
  t.deepEqual(commands.verify.token, {
    value: null,
    isSecret: true,
    isSet: true,
    source: 'variable',
    from: 'TRIAGE_TOKEN',
  });
  t.deepEqual(commands.serve.port, { value: 4000, source: 'default', from: 'default' });
});

test('config names what is wrong with a setting, and refuses what is no command or option', async (t) => {
  const invalid = await run(['config', 'serve'], { TRIAGE_PORT: 'x' });
  t.is(invalid.code, 2);
  t.is(invalid.err, 'environment variable TRIAGE_PORT: expected a port from 0 to 65535, got "x"\n');
  t.is((await run(['config', 'sevre'])).err, "error: unknown command 'sevre' (Did you mean serve?)\n");
  t.regex(
    (await run(['config', 'nonsense'])).err,
    /^error: unknown command 'nonsense' \(commands: serve, .*\)\n$/,
  );
  t.regex((await run(['config', 'serve', '--prot', '1'])).err, /unknown option '--prot'/);
});

test('config refuses valid values that conflict, as their command does', async (t) => {
  const conflict = '--cert needs --https\n';
  t.like(await run(['serve', '--cert', 'a.pem']), { code: 2, err: conflict });
  const ofServe = await run(['config', 'serve', '--cert', 'a.pem']);
  t.like(ofServe, { code: 2, err: conflict });
  t.regex(ofServe.out, /^ {2}cert +a\.pem +--cert$/m);
  t.like(await run(['config'], { TRIAGE_CERT: 'a.pem' }), { code: 2, err: conflict });
  t.like(await run(['config', 'serve', '--cert', 'a.pem', '--port', 'x']), {
    code: 2,
    err: '--port: expected a port from 0 to 65535, got "x"\n',
  });
  t.like(await run(['config', 'check', '--watch', '--complete']), {
    code: 2,
    err: '--watch cannot be used with --complete\n',
  });
});

const bad: readonly (readonly [text: string, expected: string])[] = [
  ['', ':1:1: expected an object of settings, got nothing'],
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
  ['{ "serve": [] }', ':1:12 /serve: expected an object of settings of serve, got an array of 0'],
  ['{ "yes": true }', ':1:10 /yes: a config file cannot set this; use --yes or TRIAGE_YES'],
  [
    '{ "storage": "./mine.js" }',
    ':1:14 /storage: a config file cannot set this; use --storage or TRIAGE_STORAGE',
  ],
  [
    '{ "port": 4000,\n  "serve": { "storage": "./mine.js" } }',
    ':2:25 /serve/storage: a config file cannot set this; use --storage or TRIAGE_STORAGE',
  ],
  ['{ "__proto__": {} }', ':1:16 /__proto__: unknown key'],
  [
    '{ "signupPersona": ["a", 5] }',
    ':1:20 /signupPersona: expected names, with commas between them, got an array of 2',
  ],
  [`${'['.repeat(100_000)}`, ': values are nested too deeply'],
];

for (const [text, expected] of bad) {
  test(`a file with mistakes is refused, with their places: ${text.slice(0, 40)}`, async (t) => {
    const { file } = await withFile(t, text);
    for (const words of [['check'], ['serve'], ['config'], ['healthcheck']]) {
      const { code, out, err } = await run([...words, '--config', file]);
      t.deepEqual([code, out], [2, '']);
      t.true(err.startsWith(`${file}${expected}`), err.slice(0, 300));
    }
  });
}

test('a file that cannot be read is refused', async (t) => {
  const { directory, file } = await withFile(t, ' '.repeat(1024 * 1024 + 1));
  const refusal = async (path: string) => {
    const { code, err } = await run(['check', '--config', path]);
    t.is(code, 2);
    return err;
  };
  t.is(await refusal(file), `${file}: it has more than 1048576 bytes\n`);
  t.is(await refusal(`${file}x.json`), `${file}x.json: there is no such file, which --config names\n`);
  t.like(await run(['check'], { TRIAGE_CONFIG: 'no.json' }), {
    code: 2,
    err: 'no.json: there is no such file, which TRIAGE_CONFIG names\n',
  });
  t.is(await refusal(directory), `${directory}: it is not a regular file\n`);
  t.is(await refusal('/dev/zero'), '/dev/zero: it is not a regular file\n');
  await writeFile(join(directory, 'x.yaml'), '');
  t.regex(await refusal(join(directory, 'x.yaml')), /its name has to end in \.json\n$/);
  await writeFile(join(directory, 'package.json'), '{ "triageApi": 5 }');
  t.regex(await refusal(join(directory, 'package.json')), /\/triageApi: expected an object of settings\n$/);
  await writeFile(join(directory, 'package.json'), '{}');
  t.regex(await refusal(join(directory, 'package.json')), /it has no key triageApi\n$/);
  await writeFile(join(directory, 'utf16.json'), Buffer.from('\uFEFF{"port":4100}', 'utf16le'));
  await writeFile(join(directory, 'latin1.json'), Buffer.from('{"host":"\xFC"}', 'latin1'));
  for (const name of ['utf16.json', 'latin1.json'])
    t.is(await refusal(join(directory, name)), `${join(directory, name)}: it is not valid UTF-8\n`);
  const loop = join(directory, 'loop.json');
  await symlink(loop, loop);
  t.regex(await refusal(loop), /it cannot be read: /);
  if (process.getuid?.() !== 0) {
    await writeFile(file, '{}');
    await chmod(file, 0o000);
    t.regex(await refusal(file), /it cannot be read: /);
  }
});

test('a directory of the name of the config file is refused, one of the name of package.json is not', async (t) => {
  const directory = await directoryWith(t, {});
  await mkdir(join(directory, 'package.json'));
  t.is((await runProcess(['config', 'serve'], {}, directory)).code, 0);
  await mkdir(join(directory, 'triage-api.config.json'));
  const { code, err } = await runProcess(['config', 'serve'], {}, directory);
  t.deepEqual([code, err], [2, 'triage-api.config.json: it is not a regular file\n']);
});

test('a config file that links to nothing is refused, a package.json that does is not', async (t) => {
  const directory = await directoryWith(t, {});
  await symlink('nowhere', join(directory, 'package.json'));
  t.is((await runProcess(['config', 'serve'], {}, directory)).code, 0);
  await symlink('nowhere', join(directory, 'triage-api.config.json'));
  const { code, err } = await runProcess(['config', 'serve'], {}, directory);
  t.deepEqual([code, err], [2, 'triage-api.config.json: it links to a file that does not exist\n']);
});

test('a package.json that has no end, or that belongs to another program, is not read', async (t) => {
  const directory = await directoryWith(t, {});
  const file = join(directory, 'package.json');
  await symlink('/dev/zero', file);
  for (const words of [['config', 'serve'], ['openapi']])
    t.is((await runProcess(words, {}, directory)).code, 0);
  await rm(file);
  await writeFile(file, JSON.stringify({ description: ' '.repeat(1024 * 1024) }));
  const { code, err } = await runProcess(['config', 'serve'], {}, directory);
  t.deepEqual([code, err], [0, '']);
});

test('an empty name of a config file is refused as what it is', async (t) => {
  t.deepEqual(await run(['check', '--config', '']), {
    code: 2,
    out: '',
    err: '--config: expected text that is not empty, got ""\n',
  });
});
