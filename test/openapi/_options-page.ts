import type { CliCommand } from '../../src/cli/define-command.js';
import { isNegatable, longFlag, type Option } from '../../src/cli/settings/option.js';

/** A page with what is derived between two marks. */
export const withDerived = (page: string, what: string, derived: string): string => {
  const [start, end] = [`<!-- ${what}: npm run derive -->\n`, `<!-- end of ${what} -->\n`];
  const [before = '', rest = ''] = page.split(start);
  const [, after = ''] = rest.split(end);
  return `${before}${start}${derived}\n${end}${after}`;
};

/** The page of the command line with the commands and options as they are. */
export const withOptions = (page: string, commands: readonly CliCommand[]): string =>
  withDerived(page, 'options', optionTables(commands));

type Row = readonly [name: string, byDefault: string, text: string];

/** A section for each command, and one for the options that several of them have. */
const optionTables = (commands: readonly CliCommand[]): string => {
  const shared = sharedRows(commands.filter(({ groups }) => groups === undefined));
  const sections = commands
    .filter(({ name }) => name !== 'explore')
    .map(({ name, argument, description, options, groups }) => {
      const rows = Object.entries(groups ?? { '': options }).flatMap(([title, table]): readonly Row[] => [
        ...(title === '' ? [] : [[`*${title}*`, '', ''] as const]),
        ...Object.values(table)
          .map(rowOf)
          .filter((row) => groups !== undefined || !shared.has(row.join())),
      ]);
      return sectionOf(`\`${[name, argument?.[0] ?? ''].join(' ').trim()}\``, description, rows);
    });
  const common = sectionOf('Several commands', 'what these commands have in common', [...shared.values()]);
  return [...sections, common].join('');
};

const sectionOf = (title: string, text: string, rows: readonly Row[]): string =>
  rows.reduce(
    (section, row) => `${section}| ${row.join(' | ')} |\n`.replaceAll('|  |', '| |'),
    `\n### ${title}\n\n${text.charAt(0).toUpperCase()}${text.slice(1)}.\n${rows.length === 0 ? '' : header}`,
  );

const header = '\n| option | default | |\n|---|---|---|\n';

/** The options that several of these commands have, by their text. */
const sharedRows = (commands: readonly CliCommand[]): ReadonlyMap<string, Row> => {
  const rows = commands.flatMap(({ name, options }) =>
    Object.values(options).map((option) => ({ name, row: rowOf(option) })),
  );
  const texts = rows.map(({ row }) => row.join());
  const several = rows.filter(({ row }, i) => texts.indexOf(row.join()) < i);
  return new Map(
    several.map(({ row: [name, byDefault, text] }): readonly [string, Row] => {
      const key = [name, byDefault, text].join();
      const owners = rows.filter(({ row }) => row.join() === key).map((each) => `\`${each.name}\``);
      const isEverywhere = owners.length === commands.length;
      return [key, [name, byDefault, isEverywhere ? text : `${text} (${owners.join(', ')})`]];
    }),
  );
};

const rowOf = (option: Option): Row => {
  const { flags, default: byDefault, isRequired = false, description } = option;
  const shown = isNegatable(option) && byDefault === true ? flags.replace('--', '--no-') : flags;
  return [
    `\`${byDefault === true ? `${longFlag(option)}\`, \`${shown}` : flags}\``,
    isRequired ? 'required' : byDefault === true ? 'on' : typeof byDefault === 'string' ? byDefault : '',
    description,
  ];
};
