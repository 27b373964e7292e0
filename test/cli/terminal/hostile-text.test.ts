import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { diagnosticLog } from '../../../src/cli/terminal/logging.js';
import { escapingTerminal } from '../../../src/cli/terminal/terminal.js';
import { aSession, aUser } from '../../_data.js';
import { serveWith } from '../../_server.js';
import { directoryWith } from '../../fixtures/_directory.js';
import { listen, run } from '../_cli.js';
import { aTerminal } from './_terminal.js';

/** Characters that clear a terminal, start a line of their own, or reverse what follows. */
const hostile = 'a\u001b[2J\u0085\u009b\u007f\u061c\u200e\u200f\u202a\u202e\u2028\u2066\u2069z';

/** Ranges of code points that no output may hold as they are. */
const forbidden = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
] as const;
const isForbidden = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  return forbidden.some(([first, last]) => code >= first && code <= last);
};

/** The text arrived, and not as it was. */
const isEscaped = (t: ExecutionContext, text: string, where: string): void => {
  t.true(text.includes('\\u202e'), `${where}: ${text.slice(0, 2000)}`);
  t.deepEqual(Array.from(text).filter(isForbidden), [], where);
};

/** A server that answers every request with text of this kind wherever the contract has text. */
const hostileServer = (t: ExecutionContext): Promise<string> => {
  const text = ['id', 'repoId', 'owner', 'repo', 'severity', 'isDemoRow'];
  const row = Object.fromEntries(text.map((name) => [name, hostile]));
  return serveWith(t, ({ url = '' }, response) => {
    const page = { items: [row], page: 1, limit: 100, totalItems: 1, totalPages: 1, [hostile]: hostile };
    const body = url.startsWith('/api/v1/repos') ? [row] : page;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
};

test('control characters in names of fixtures are escaped by check and in the banner of serve', async (t) => {
  const user = { ...aUser('x'), email: `${hostile.replaceAll(/[\u2028\u0085]/g, '')}@x.test` };
  const valid = await directoryWith(t, { [`${hostile}\nlisten.json`]: { user, sessions: [aSession('s')] } });
  const { code, out } = await run(['check', valid]);
  t.is(code, 0, out);
  isEscaped(t, out, 'a summary');
  const server = await listen(t, ['--fixtures', valid, '--no-watch']);
  isEscaped(t, server.err(), 'the banner');
  t.false(server.err().includes('\nlisten.json'), 'a line of its own');

  const invalid = await directoryWith(t, {
    'x.json': { user: { ...user, email: hostile }, [hostile]: hostile, repos: [{ id: hostile, status: 1 }] },
  });
  isEscaped(t, (await run(['check', invalid])).err, 'problems');
});

test('a line break in a file name or a value begins no line of its own', async (t) => {
  const folder = await directoryWith(t, {
    'a\nrefused: 0 problems.json': { user: aUser('x'), repos: [{ id: 'a\nwarning: b', status: 1 }] },
  });
  const checked = await run(['check', folder]);
  t.is(checked.code, 1);
  t.regex(checked.err, /a\\u000arefused/);
  t.notRegex(checked.err, /^(?:warning|refused: 0)/m);
  for (const directory of [join(folder, 'x\nwrote nothing'), join(folder, 'x\nwrote nothing')]) {
    const { out, err } = await run(['init', directory]);
    t.regex(`${out}${err}`, /x\\u000awrote nothing/);
    t.notRegex(`${out}${err}`, /^wrote nothing/m);
  }
});

for (const [report, words] of [
  ['verify', 'verify --url HOSTILE --token good-token --details --json FILE.json --junit FILE.xml'],
  ['record', 'record FILE.json --url HOSTILE'],
  ['diff', 'diff --left HOSTILE --right REAL --values --json FILE.json'],
] as const) {
  test(`what a server sends is escaped in the report of ${report}`, async (t) => {
    const folder = await directoryWith(t, {});
    const [hostile, real] = [await hostileServer(t), await listen(t, ['--log-level', 'silent'])];
    const given = words.replace('HOSTILE', hostile).replace('REAL', real.url);
    const { out, err } = await run(
      `${given.replaceAll('FILE', join(folder, 'x'))} --session acme-session --rate 1000`.split(' '),
    );
    isEscaped(t, `${out}${err}`, report);
    for (const name of await readdir(folder)) isEscaped(t, await readFile(join(folder, name), 'utf8'), name);
    t.is((await readdir(folder)).length, words.match(/--j/g)?.length ?? 0);
  });
}

for (const isTerminal of [true, false]) {
  test(`the log is escaped ${isTerminal ? 'on a terminal' : 'as JSON'}`, (t) => {
    const { fake, lines } = aTerminal(isTerminal);
    const terminal = { ...fake, progress: fake.out };
    const { err, out, progress, text } = escapingTerminal(terminal);
    diagnosticLog({ ...terminal, err }, 'info', () => 0)('info', 'login', { address: hostile, [hostile]: 1 });
    out(hostile);
    progress(hostile);
    text(hostile);
    // On a terminal, each field of the log has a line.
    t.is(lines.length, isTerminal ? 6 : 4);
    t.true(lines.filter((line) => line.includes('\\u202e')).length >= 4);
    for (const line of lines) t.deepEqual(Array.from(line).filter(isForbidden), [], line);
  });
}

test('a command line that is wrong is quoted escaped, without the value of a misspelt option', async (t) => {
  isEscaped(t, (await run([hostile])).err, 'a command');
  const { code, err } = await run(['verify', `--sesion=${hostile}'secret`]);
  t.is(code, 2);
  t.is(err, "error: unknown option '--sesion=…'\n");
});
