import { parseArgs } from 'node:util';
import { keyOf, longFlag } from './option-names.js';
import { negatedOption, type OptionText, type ParsedOptions } from './options.js';

/**
 * Parses options without commander, which takes as long to load as all the rest of a small command. Null for
 * a command line that is not plainly valid, such as one that asks for help: commander says what there is to
 * say about it.
 */
export const parsePlainly = (
  words: readonly string[],
  options: readonly OptionText[],
): ParsedOptions | null => {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: Object.fromEntries(options.flatMap(configOf)),
      strict: true,
      allowPositionals: false,
    });
    const given = new Map(Object.entries(values).map(([name, value]) => [keyOf(`--${name}`), value]));
    for (const [name, value] of Array.from(given)) {
      const [, letter = '', rest = ''] = /^no([A-Z])(.*)$/.exec(name) ?? [];
      if (letter === '' || value !== true) continue;
      const key = `${letter.toLowerCase()}${rest}`;
      // Which of the two counts depends on their order.
      if (given.has(key)) return null;
      given.set(key, false);
    }
    return {
      getOptionValue: (key) => given.get(key),
      getOptionValueSource: (key) => (given.has(key) ? 'cli' : undefined),
    };
  } catch {
    return null;
  }
};

type ArgConfig = Readonly<{ type: 'string' | 'boolean'; short?: string }>;

/** An option, and the one that negates it, as `parseArgs` takes them. */
const configOf = (option: OptionText): readonly (readonly [name: string, config: ArgConfig])[] => {
  const { flags } = option;
  const [, short] = /^-(\w), /.exec(flags) ?? [];
  const type = flags.includes('<') ? 'string' : 'boolean';
  const negated = negatedOption(option);
  return [
    [longFlag(flags).slice(2), short === undefined ? { type } : { type, short }],
    ...(negated === null ? [] : [[negated.flags.slice(2), { type: 'boolean' }] as const]),
  ];
};
