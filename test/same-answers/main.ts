import { access, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as t from 'io-ts';
import { groupBy } from '../../src/common/sort-and-group.js';
import { type Compare, comparer, type Difference } from './_compare.js';
import { exchange, headerOf, type Reply } from './_exchange.js';
import { flows, settingRequests } from './_flows.js';
import { type Plan, type Planned, readingRequests } from './_requests.js';
import { type Checkouts, type Pair, startOverFixtures, startOverPostgres } from './_servers.js';

const usage = `Usage: npm run same-answers -- [options] OLD_CHECKOUT

Starts a server of OLD_CHECKOUT, which must be built, and one of this checkout,
sends the same requests to both, and prints how the answers differ: status,
headers with their order and case, bodies, and whether the connection is kept.
Values that are drawn at random have to stand for the same thing everywhere.

Options:
  --only fixtures|postgres  compare over one of them; default: both
  --allow FILE              differences that are meant, one a line:
                              WHAT | REQUEST | REASON
                            WHAT and REQUEST are as the report prints them, and
                            * stands for any text. Lines with # are comments.
                              header etag | GET /docs* | the page has a new title
  --seed N                  what parameters are drawn from (default: 1)
  --print                   print how many requests there are of which category,
                            and send none
  -h, --help                print this help

Exit codes: 0 no differences but those that are meant, 1 there are others,
2 wrong usage.
`;

type Found = Difference & Readonly<{ planned: Planned }>;
type Allowed = Readonly<{ line: string; what: RegExp; request: RegExp }>;

const here = fileURLToPath(new URL('../../../', import.meta.url));

const Rows = t.readonlyArray(t.type({ id: t.string }));
const Fixture = t.type({ fixDrafts: Rows, repos: Rows }, 'fixture');

const tenantsOf = (checkout: string): Promise<Plan['tenants']> =>
  Promise.all(
    ['acme', 'demo', 'empty', 'boundary', 'large'].map(async (name) => {
      const content: unknown = JSON.parse(await readFile(join(checkout, 'fixtures', `${name}.json`), 'utf8'));
      const filled: unknown = { fixDrafts: [], repos: [], ...Object(content) };
      if (!Fixture.is(filled)) throw new Error(`${name}.json is no fixture`);
      return {
        name,
        findings: filled.fixDrafts.map(({ id }) => id),
        repos: filled.repos.map(({ id }) => id),
      };
    }),
  );

/** A signal ends the comparison before its next request, so that the servers are stopped as usual. */
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isStopped = true;
  });
}

/** Values of answers, which later requests send. */
type Kept = Map<string, string>;

const substituted = (bytes: string, kept: Kept): string => {
  const filled = bytes.replace(/\{\{(\w+)\}\}/g, (whole, name) =>
    name === 'length' ? whole : (kept.get(name) ?? ''),
  );
  const length = filled.length - filled.indexOf('\r\n\r\n') - 4;
  return filled.replace('{{length}}', String(length));
};

/** What an answer has that a later request may need. */
const valuesIn = ({ received }: Reply): ReadonlyMap<string, string> => {
  const [first] = received;
  if (first === undefined) return new Map();
  const cookies = first.headers.filter(([name]) => name.toLowerCase() === 'set-cookie');
  const set = cookies.flatMap(([, value]) => [...value.matchAll(/^(\w+)=([^;]+)/g)]);
  const text = headerOf(first, 'content-type').includes('json') ? first.body.toString('latin1') : '';
  const fields = [...text.matchAll(/"(id|token|session)":"([^"]+)"/g)].reverse();
  return new Map([
    ...fields.map(([, name = '', value = '']) => [name, value] as const),
    ...set.map(([, name = '', value = '']) => [name, value] as const),
    // A form shows its new token with the next page, which finds it in a cookie.
    ...set.flatMap(([, name, value = '']) =>
      name === 'minted' ? [['token', value.replace(/\..*/, '')] as const] : [],
    ),
    ['etag', headerOf(first, 'etag')],
  ]);
};

/** Sends the requests one after the other, each to both servers at the same time. */
const compareAll = async (
  pair: Pair,
  all: readonly Planned[],
  compare: Compare,
  progress: (text: string) => void,
): Promise<readonly Found[]> => {
  const found: Found[] = [];
  const kept = { old: new Map<string, string>(), new: new Map<string, string>() };
  const send = async (which: 'old' | 'new', { bytes, to, endsThere, keep }: Planned): Promise<Reply> => {
    const mine = kept[which];
    const reply = await exchange({ port: pair[which][to], bytes: substituted(bytes, mine), endsThere });
    const values = valuesIn(reply);
    const etag = values.get('etag');
    if (etag) mine.set('etag', etag);
    for (const [name, from] of Object.entries(keep)) {
      const value = values.get(from);
      if (value !== undefined) mine.set(name, value);
    }
    return reply;
  };
  for (const [i, planned] of all.entries()) {
    if (isStopped) throw new Error('stopped by a signal');
    const [old, next] = await Promise.all([send('old', planned), send('new', planned)]);
    for (const difference of compare(old, next)) found.push({ ...difference, planned });
    progress(`${planned.category}: ${i + 1} of ${all.length} requests, ${found.length} differences`);
  }
  return found;
};

const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trim()
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

const readAllowed = async (path: string): Promise<readonly Allowed[] | string> => {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => /^\s*[^#\s]/.test(line));
  const wrong = lines.find((line) => line.split(' | ').length < 3);
  if (wrong !== undefined) return `${path}: expected WHAT | REQUEST | REASON, got ${wrong}`;
  return lines.map((line) => {
    const [what = '', request = ''] = line.split(' | ');
    return { line, what: pattern(what), request: pattern(request) };
  });
};

const short = (text: string): string =>
  text === '' ? '(nothing)' : text.length > 300 ? `${text.slice(0, 300)}…` : text;

/** How many requests the report shows of a kind of difference. */
const maxExamples = 6;

/** Each kind of difference, where it is found, and the first requests that show it. */
const report = (found: readonly Found[]): string =>
  [...groupBy(found, ({ what }) => what)]
    .map(([what, differences]) => {
      const categories = [...groupBy(differences, ({ planned }) => planned.category)];
      const counts = categories.map(([category, { length }]) => `${category} ${length}`).join(', ');
      const firsts = categories.flatMap(([, all]) => all.slice(0, 1));
      const examples = new Map(firsts.map((each) => [`${each.old} ${each.new}`, each] as const).reverse());
      const shown = [...examples.values()].reverse().slice(0, maxExamples);
      const texts = shown.map(
        ({ planned, ...each }) =>
          `  ${short(planned.label)}\n    old: ${short(each.old)}\n    new: ${short(each.new)}\n`,
      );
      return `${what}: ${differences.length} requests (${counts})\n${texts.join('')}`;
    })
    .join('');

const otherSettings = [
  ['--strict'],
  ['--no-mock-controls'],
  ['--no-compression'],
  ['--no-explorer'],
  ['--no-localhost-cors'],
  ['--trust-proxy'],
  ['--allowed-host', 'api.example.com'],
];

/** Sets of requests, and what starts the servers that they are sent to. */
type Part = Readonly<{
  name: string;
  start: (checkouts: Checkouts) => Promise<Pair>;
  planned: readonly Planned[];
}>;

const partsOf = (only: string | undefined, plan: Omit<Plan, 'isPostgres'>): readonly Part[] => {
  const all = (isPostgres: boolean): readonly Planned[] => [
    ...readingRequests({ ...plan, isPostgres }),
    ...flows({ ...plan, isPostgres }),
  ];
  const fixtures: readonly Part[] = [
    {
      name: 'fixtures',
      start: (checkouts) => startOverFixtures(checkouts, [['--scenario', 'acme']]),
      planned: all(false),
    },
    {
      name: 'other settings',
      start: (checkouts) => startOverFixtures(checkouts, otherSettings),
      planned: settingRequests(),
    },
  ];
  const postgres: Part = { name: 'postgres', start: startOverPostgres, planned: all(true) };
  return [...(only === 'postgres' ? [] : fixtures), ...(only === 'fixtures' ? [] : [postgres])];
};

const run = async (parts: readonly Part[], checkouts: Checkouts): Promise<readonly Found[]> => {
  const found: Found[] = [];
  for (const { name, start, planned } of parts) {
    const pair = await start(checkouts);
    try {
      const isTerminal = process.stderr.isTTY === true;
      const progress = (text: string): void => {
        if (isTerminal) process.stderr.write(`\r\u001b[K${name}, ${text}`.slice(0, 100));
      };
      found.push(...(await compareAll(pair, planned, comparer(), progress)));
      if (isTerminal) process.stderr.write('\r\u001b[K');
    } finally {
      await pair.stop();
    }
  }
  return found;
};

const print = (text: string): boolean => process.stdout.write(text);

const printCounts = (parts: readonly Part[]): number => {
  for (const { name, planned } of parts) {
    const counts = [...groupBy(planned, ({ category }) => category)].map(
      ([each, { length }]) => `${each} ${length}`,
    );
    print(`${name}: ${planned.length} requests (${counts.join(', ')})\n`);
  }
  return 0;
};

const main = async (): Promise<number> => {
  const wrong = (message: string): number => {
    process.stderr.write(`${message}\n\n${usage}`);
    return 2;
  };
  const options = {
    only: { type: 'string' },
    allow: { type: 'string' },
    seed: { type: 'string', default: '1' },
    print: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const given = (() => {
    try {
      return parseArgs({ options, allowPositionals: true });
    } catch (error) {
      return String(error);
    }
  })();
  if (typeof given === 'string') return wrong(given);
  const { values, positionals } = given;
  if (values.help) {
    print(usage);
    return 0;
  }
  if (positionals.length !== 1) return wrong('expected one OLD_CHECKOUT');
  const old = resolve(positionals[0] ?? '');
  if (!['fixtures', 'postgres', undefined].includes(values.only))
    return wrong('--only takes fixtures or postgres');
  if (!/^\d{1,9}$/.test(values.seed)) return wrong('--seed takes a whole number');
  const isBuilt = await access(join(old, 'build')).then(
    () => true,
    () => false,
  );
  if (!isBuilt) return wrong(`${old} is no checkout that has been built`);
  const allowed = values.allow === undefined ? [] : await readAllowed(values.allow).catch(String);
  if (typeof allowed === 'string') return wrong(allowed);
  const parts = partsOf(values.only, { tenants: await tenantsOf(old), seed: Number(values.seed) });
  if (values.print) return printCounts(parts);

  const found = await run(parts, { old, new: here });
  const allowing = ({ what, planned }: Found): readonly Allowed[] =>
    allowed.filter((each) => each.what.test(what) && each.request.test(planned.label));
  const used = new Set(found.flatMap(allowing));
  const notes = found.filter(({ isNote }) => isNote);
  const unexpected = found.filter((each) => !each.isNote && allowing(each).length === 0);
  for (const { line } of allowed.filter((each) => !used.has(each)))
    print(`nothing differs any more: ${line}\n`);
  print(report(unexpected));
  if (notes.length > 0) print(`for information, compressed size: ${notes.length} responses\n`);
  const sent = parts.reduce((sum, { planned }) => sum + planned.length, 0);
  const meant = found.length - notes.length - unexpected.length;
  print(
    `${sent} requests, ${unexpected.length} differences, ${meant} that are meant (seed ${values.seed})\n`,
  );
  return unexpected.length === 0 ? 0 : 1;
};

process.exitCode = await main();
