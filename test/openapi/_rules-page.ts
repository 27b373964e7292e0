import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lies } from '../../src/simulation/lies/index.js';
import { requiredChecks } from '../../src/verify/checks/all-checks.js';
import { withDerived } from './_options-page.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

type Code = Readonly<{ symbol: string; file: string }>;

/** A rule of the contract, by its section: a numbered sentence, or a section that has none. */
export type Rule = Readonly<{
  name: string;
  /** What cites it in a comment: its name, and its file. */
  code: readonly Code[];
  /** The ids of the checks and of the lies that cite it. */
  checks: readonly string[];
  lies: readonly string[];
}>;

/** Rules that say what another one says: checks and lies cite that one. */
const repeated: Readonly<Record<string, string>> = {
  '1 rule 2': '5 rule 6',
  '3.1': '2.2',
  '4.2 rule 1': '2.4',
  '4.2 rule 4': '5 rule 4',
  '4.4 rule 1': '2.4',
  '4.4 rule 3': '5 rule 4',
  '5': '5 rule 2',
  '7 note 1': '7',
};

/** Why nothing can break, or check, a rule. */
export const reasons: Readonly<Record<string, string>> = {
  '1 rule 3': 'of the inside of a server',
  '1 rule 4': 'no client tries to write',
  '4.2 rule 3': 'advice to clients',
  '5 rule 1': 'without it, no test passes',
  '5 rule 3': 'no client sends what is not read',
  '5 rule 5': 'no client sends what is not read',
  '6': 'there are none',
  '7 note 1': 'clients look at the status',
  '7 note 2': 'clients ask for what they were shown',
  '9 rule 1': 'the paths of all operations',
  '9 rule 2': 'about later versions',
};

/** The rules that a text cites: `5 rules 1 and 2`, or `4.2, 8`. */
const citedIn = (text: string): readonly string[] =>
  text.split(/, (?=\d)| and (?=\d\.\d)/).flatMap((part) => {
    const [, section = '', kind, rules = ''] = /^(\S+?)(?:,? (rule|note)s? (.*))?$/.exec(part) ?? [];
    return kind === undefined ? [section] : rules.split(' and ').map((rule) => `${section} ${kind} ${rule}`);
  });

/** The names of the rules on the page of the API. */
const namesOn = (page: string): readonly string[] =>
  Array.from(page.matchAll(/^#{2,3} (\d(?:\.\d)?)\.? ([\s\S]*?)(?=^#{2,3} |(?![\s\S]))/gm)).flatMap(
    ([, section = '', text = '']) => {
      const numbers = Array.from(text.matchAll(/^(\d)\. /gm), ([, number = '']) => number);
      const kind = section === '7' ? 'note' : 'rule';
      return [section, ...numbers.map((number) => `${section} ${kind} ${number}`)];
    },
  );

/** What the core declares under a comment that cites a rule, with the rule. */
const citingCode = async (): Promise<readonly (readonly [rule: string, code: Code])[]> => {
  const found: (readonly [string, Code])[] = [];
  for (const room of ['api', 'contract'])
    for (const path of (await readdir(join(root, 'src', room), { recursive: true })).sort()) {
      if (!path.endsWith('.ts')) continue;
      const file = `src/${room}/${path.replaceAll('\\', '/')}`;
      const text = await readFile(join(root, file), 'utf8');
      const cited =
        /\(contract, sections? ([\d., a-z]+)(?=[\s\S]*?\*\/\s*(?:(?:export|abstract|const|class|type|get) )*(\w+))/g;
      for (const [, rules = '', symbol = ''] of text.matchAll(cited))
        for (const rule of citedIn(rules.replaceAll(/, (?=rule|note)/g, ' ')))
          found.push([rule, { symbol, file }]);
    }
  return found;
};

/** All rules of sections 1 to 9. */
export const rulesOn = async (page: string): Promise<readonly Rule[]> => {
  const code = await citingCode();
  const under = <A>(name: string, all: readonly A[], textOf: (each: A) => string): readonly A[] => {
    const rules = [name, repeated[name] ?? name];
    const exact = all.filter((each) => citedIn(textOf(each)).some((rule) => rules.includes(rule)));
    // Whatever is about a section as a whole is about its rules.
    return exact.length > 0 || name in reasons
      ? exact
      : all.filter((each) => citedIn(textOf(each)).includes(name.split(' ')[0] ?? ''));
  };
  const rules = namesOn(page).map((name) => ({
    name,
    code: under(name, code, ([rule]) => rule).map(([, each]) => each),
    checks: under(name, requiredChecks, ({ section }) => section).map(({ id }) => id),
    lies: name in reasons ? [] : under(name, lies, ({ section }) => section).map(({ id }) => id),
  }));
  // What is above several rules may say nothing itself.
  return rules.filter(
    ({ name, checks }) =>
      checks.length > 0 ||
      name in reasons ||
      !rules.some((each) => /^[. ]/.test(each.name.replace(name, ''))),
  );
};

/** So many are shown of several. */
const shown = 2;

const listOf = <A>(all: readonly A[], textOf: (each: A) => string): string =>
  [...all.slice(0, shown).map(textOf), ...(all.length > shown ? [`+${all.length - shown}`] : [])].join(' ');

/** The page of the API with a table of its rules: where they are kept, and what breaks them. */
export const withRules = async (page: string): Promise<string> => {
  const rows = (await rulesOn(page)).map(({ name, code, checks, lies }) => [
    name,
    listOf(code, ({ symbol, file }) => `[${symbol}](../${file})`),
    listOf(checks, (id) => `\`${id}\``),
    reasons[name] ?? listOf(lies, (id) => `\`${id}\``),
  ]);
  const lines = rows.map((cells) => `|${cells.join('|')}|\n`);
  return withDerived(page, 'rules', `\n|rule|code|checks|lies|\n|---|---|---|---|\n${lines.join('')}`);
};
