import { parseArgs } from 'node:util';
import { type AmountName, amountNames, type SoakRun } from './core/_run.js';

const usage = (runs: readonly SoakRun[]): string => `Usage: npm run soak -- [options]

Runs long tests against real processes, one after the other, and prints a table of what they have shown.
The exit code is 1 if one of them failed.

  --only NAME          runs only these; may be given several times; "hostile" means all that begin with it
  --scale FACTOR       multiplies the amounts below, for example by 0.01
  --requests COUNT     \\
  --seconds COUNT       | replaces this amount in the runs that have it
  --times COUNT         |
  --connections COUNT  /
  --seed NUMBER        repeats the random choices of a run (default: chosen anew, and printed)
  --from NUMBER        begins at this place of the sequence that the seed gives (default: 0)

${runs.map(({ name, about, amounts }) => `  ${name.padEnd(20)} ${about}\n${' '.repeat(23)}${amountText(amounts)}`).join('\n')}`;

/** Amounts as people read them. */
export const amountText = (amounts: SoakRun['amounts']): string =>
  Object.entries(amounts)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');

export type SoakOptions = Readonly<{
  runs: readonly SoakRun[];
  seed: number;
  from: number;
}>;

const positive = (text: string): number => {
  const value = Number(text);
  if (value > 0) return value;
  throw new Error(`${text} is not a positive number`);
};

const whole = (text: string): number => {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`${text} is not a whole number`);
};

const chosen = (runs: readonly SoakRun[], names: readonly string[]): readonly SoakRun[] => {
  for (const name of names) {
    if (!runs.some((run) => run.name.startsWith(name))) throw new Error(`there is no run ${name}`);
  }
  return names.length === 0 ? runs : runs.filter((run) => names.some((name) => run.name.startsWith(name)));
};

const text = { type: 'string' } as const;

/** Reads the command line; a text says what to print instead of running anything. */
export const readSoakOptions = (
  runs: readonly SoakRun[],
  words: readonly string[],
): SoakOptions | Readonly<{ usage: string; isWrong: boolean }> => {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        ...{ only: { type: 'string', multiple: true, default: [] }, scale: { type: 'string', default: '1' } },
        ...{ requests: text, seconds: text, times: text, connections: text, seed: text },
        ...{ from: { type: 'string', default: '0' }, help: { type: 'boolean', default: false } },
      },
    });
    if (values.help) return { usage: usage(runs), isWrong: false };
    const scale = positive(values.scale);
    const given: Readonly<{ [Name in AmountName]?: string | undefined }> = values;
    const scaled = (run: SoakRun): SoakRun => ({
      ...run,
      amounts: Object.fromEntries(
        amountNames.flatMap((name) => {
          const amount = run.amounts[name];
          const replaced = given[name];
          if (amount === undefined) return [];
          return [
            [name, replaced === undefined ? Math.max(1, Math.round(amount * scale)) : positive(replaced)],
          ];
        }),
      ),
    });
    return {
      runs: chosen(runs, values.only).map(scaled),
      seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : whole(values.seed),
      from: whole(values.from),
    };
  } catch (error) {
    return { usage: `${error instanceof Error ? error.message : error}\n\n${usage(runs)}`, isWrong: true };
  }
};
