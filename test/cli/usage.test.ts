import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { commands } from '../../src/cli/program.js';
import { serveOptions } from '../../src/cli/serve/serve-options.js';
import { longFlag } from '../../src/cli/settings/option.js';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { run } from './_cli.js';

const { corsOrigins, allowedHosts } = serveOptions;
const [Origins, Hosts] = [corsOrigins.codec, allowedHosts.codec];

/** What is entered, with variables in front, and what is written to standard error. */
const refused = `
$ launch
error: unknown command 'launch' (commands: serve, explore, demo, init, generate, import-from, check, verify, record, diff, coverage, mutate, openapi, healthcheck, db)
$ migrate --check
error: unknown command 'migrate' (Did you mean db migrate?)
$ db migrat
error: unknown command 'db migrat' (Did you mean migrate?)
$ Serve --port 1
error: unknown command 'Serve' (Did you mean serve?)
$ --prot 1
error: unknown option '--prot' (Did you mean --port?)
$ serve --port
error: option '-p, --port <port>' argument missing
$ verify http://a.test
error: too many arguments for 'verify'; a URL is given with --url
$ db delete-tenant --yes
error: missing required argument 'tenant'
$ db purge
--database-url is required
$ DATABASE_URL=mysql://x db purge
--database-url is required (DATABASE_URL is not used: it may belong to another program; set TRIAGE_DATABASE_URL for triage-api)
$ TRIAGE_DATABASE_URL=mysql://who:top-secret@host/x db migrate
environment variable TRIAGE_DATABASE_URL: expected a URL such as postgres://user:password@host:5432/database, got other text
$ TRIAGE_DATABASE_URL=postgres://x/y db migrate --check --roles
--check and --roles cannot be used together: --check changes nothing
$ TRIAGE_DATABASE_URL=postgres://x/y db migrate --role-prefix Triage
--role-prefix: expected a prefix of up to 40 lower-case letters, digits and underscores that does not start with pg_, got "Triage"
$ TRIAGE_DATABASE_URL=postgres://x/y serve --state x
--state cannot be used with --database-url: the database keeps sign-ups, sessions and tokens
$ TRIAGE_DATABASE_URL=postgres://x/y serve --fail-rate 0.1
--fail-rate needs the mock controls, which exist over fixtures and without --no-mock-controls
$ TRIAGE_STRICT=maybe serve
environment variable TRIAGE_STRICT: expected true or false, got "maybe"
$ --port 65536
--port: expected a port from 0 to 65535, got "65536"
$ --delay 1.5 --jitter -1
--delay: expected milliseconds from 0 to 86400000, got "1.5"
--jitter: expected milliseconds from 0 to 86400000, got "-1"
$ --now yesterday
--now: expected a moment in UTC such as 2026-11-20T12:00:00Z, got "yesterday"
$ record x.json
--url is required
--session is required
$ record x.yaml --url http://x --session good
x.yaml: the name must end in .json and must not start with a dot or an underscore, or the file is not served
$ record x.json --url http://x --session a-secret --file-session a-secret
x.json: the session of the user must not contain the value of --session
$ record x.json --url http://x --session good --max-body 1023
--max-body: expected a size from 1kb to 256mb, such as 64mb or 65536, got "1023"
$ record x.json --url http://x --session good --max-body 64gb
--max-body: expected a size from 1kb to 256mb, such as 64mb or 65536, got "64gb"
$ record x.json --url http://x --session good --max-body 1e3
--max-body: expected a size from 1kb to 256mb, such as 64mb or 65536, got "1e3"
$ check --complete --out ""
--out: expected text that is not empty, got ""
$ check --json --complete
--json cannot be used with --complete
$ import-from a --out b
b: the name must end in .json and must not start with a dot, or the file is not served
$ import-from a --repo acme
--repo: expected a repository such as acme/web, of letters, digits, hyphens, underscores and dots, got "acme"
$ import-from a --repo a/b --repo c/d
--repo was given 2 times for 1 file
$ import-from a --json -
--json - needs --out, because both would be written to standard output
$ import-from a --out b.json --json ./b.json
--out and --json must name different files
$ import-from a.json --out a.json --force
a.json cannot be read and written at once
$ verify
--url is required
--session is required
--token is required
$ verify --url http://kim:secret@x --session good-session --token good-token --rate 0
--url: expected an http or https URL without user, query and fragment, such as http://127.0.0.1:4000, got "…@x"
--rate: expected a whole number from 1 to 1000, got "0"
$ verify --url http://x --session a;secret --token good-token --timeout 0
--session: expected at least 4 visible ASCII characters, without double quotes, commas, semicolons and backslashes, got other text
--timeout: expected milliseconds from 1 to 86400000, got "0"
$ verify --url http://x --session good-session --token good-token --json - --junit -
pass either --json - or --junit -, not both
$ diff --left http://x --right http://x --left-session good-session
the right server needs a session: pass --session or --right-session
$ generate x --repos 0
--findings 500, --repos 0, --prs 125: findings need a repository
$ generate x --findings 400000
--findings 400000, --repos 20, --prs 100000: a fixture file has at most 500000 rows; generate several tenants
$ generate x --findings 0 --prs 1
--findings 0, --repos 20, --prs 1: pull requests need a finding`;

for (const entry of refused.split('\n$ ').slice(1)) {
  const [line = '', ...err] = entry.split('\n');
  test(`wrong usage is refused with the reason: ${line}`, async (t) => {
    const words = line.split(' ').map((word) => (word === '""' ? '' : word));
    const isVariable = (word: string): boolean => /^[A-Z_]+=/.test(word);
    const environment = Object.fromEntries(words.filter(isVariable).map((word) => word.split('=')));
    const others = words.filter((word) => !isVariable(word));
    t.deepEqual(await run(others, environment), { code: 2, out: '', err: `${err.join('\n')}\n` });
  });
}

test('the help of serve has every option in a group, and says once that each has a variable', async (t) => {
  const { out: help } = await run(['help', 'serve']);
  const headings = Array.from(help.matchAll(/^([A-Z][a-z ]+):$/gm), ([, heading]) => heading);
  const expected =
    'Basics, Simulate, Data and state, Accounts, Network, Database, Logs and metrics, Options, Examples';
  t.is(headings.join(', '), expected);
  for (const line of help.split('\n')) t.true(line.length <= 80, line);
  const [basics = ''] = help.split('Simulate:');
  for (const option of ['--port <port>', '--host <host>', '--fixtures <path>', '--[no-]open', '--now <time>'])
    t.true(basics.includes(option), option);
  for (const option of Object.values(serveOptions))
    t.true(help.includes(longFlag(option)) || help.includes(longFlag(option).replace('--', '--[no-]')));
  t.is(help.match(/TRIAGE_/g)?.length, 2);
  for (const common of ['PORT', 'HOST', 'LOG_LEVEL'])
    t.true(help.replaceAll(/\s+/g, ' ').includes(`or ${common})`), common);
});

test('the help of the program, and of its database commands, is listed in any form in which it is asked for', async (t) => {
  const names = Object.keys(commands);
  const ofDatabase = names.filter((name) => name.startsWith('db '));
  for (const [words, expected] of [
    [['--help'], names],
    [['help'], names],
    [['-q', '--help'], names],
    [['help', 'help'], names],
    [['db', '--help'], ofDatabase],
    [['help', 'db'], ofDatabase],
  ] as const) {
    const { code, out } = await run(words);
    t.is(code, 0, words.join(' '));
    const listed = Array.from(out.matchAll(/^ {2}((?:db )?[a-z-]+)(?: [<[]\S+)? {2,}/gm), ([, name]) => name);
    t.deepEqual(listed, [...expected], words.join(' '));
  }
  t.like(await run(['db']), { code: 2, out: '' });
  t.regex((await run(['help', 'db', 'migrate'])).out, /^Usage: triage-api db migrate \[options\]\n/);
});

test('openapi prints the document, or with --fixtures the schema that is shipped, and nothing else', async (t) => {
  const document = `${JSON.stringify(openApiDocument(readExamples()), null, 2)}\n`;
  t.deepEqual(await run(['openapi']), { code: 0, out: document, err: '' });
  const shipped = await readFile(new URL('../../../schema/fixture.schema.json', import.meta.url), 'utf8');
  t.deepEqual(await run(['openapi', '--fixtures']), { code: 0, out: shipped, err: '' });
});

const [a, b, c] = ['https://a.example', 'https://b.example', 'https://c.example'];

test('a list has its values in several words, with commas between them, or both; the environment with commas', (t) => {
  for (const words of [[`${a},${b}`, c], [`${a}, ${b}`, c], [a, b, c], [`${a},${b},${c}`], `${a},${b},${c}`])
    t.deepEqual(Origins.decode(words), E.right([a, b, c]), String(words));
  const hosts = ['a.example', 'b.example', '.c.example'];
  t.deepEqual(Hosts.decode(['a.example,b.example', '.c.example']), E.right(hosts));
  for (const wrong of [`${a},`, `,${a}`, `${a},,${b}`, `${a},*`])
    t.true(E.isLeft(Origins.decode([wrong])), wrong);
});

test('the program ends with its exit code, and a reader that closes its output early gets no error', async (t) => {
  // The compiled modules, of which the bundle is made, in processes of their own.
  const module = new URL('../../src/cli/main.js', import.meta.url).href;
  const code = `(await import('${module}')).main(process);`;
  const program = `'${process.execPath}' --input-type=module -e "${code}" triage-api`;
  const script = `${program} chek; echo $?; ${program} openapi | head -1`;
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script]);
  t.is(stdout, '2\n{\n');
  t.regex(stderr, /^error: unknown command 'chek'.*\n$/);
});
