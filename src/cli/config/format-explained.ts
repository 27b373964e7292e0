import type { ExplainedSetting, ExplainedSettings } from './explain.js';

/** What is explained of a command. */
export type ExplainedCommand = ExplainedSettings & Readonly<{ command: string }>;

/** The settings of commands as a table for each, or as JSON. */
export const formatExplained = (
  file: string | null,
  explained: readonly ExplainedCommand[],
  asJson: boolean,
): string => (asJson ? JSON.stringify(asObject(file, explained), null, 2) : asText(file, explained));

const asObject = (file: string | null, explained: readonly ExplainedCommand[]) => ({
  file,
  commands: Object.fromEntries(
    explained.map(({ command, settings }) => [
      command,
      Object.fromEntries(
        settings.map(({ key, value, isSecret, isSet, source, from }) => [
          key,
          { value, ...(isSecret ? { isSecret, isSet } : {}), source, from },
        ]),
      ),
    ]),
  ),
});

const asText = (file: string | null, explained: readonly ExplainedCommand[]): string =>
  [
    `config file: ${file ?? 'none'}`,
    ...explained
      .filter(({ settings }) => settings.length > 0)
      .flatMap(({ command, settings }) => ['', command, ...table(settings)]),
  ].join('\n');

const table = (settings: readonly ExplainedSetting[]): readonly string[] => {
  const rows = settings.map((setting) => [setting.key, valueText(setting)] as const);
  const [keys, values] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return settings.flatMap(({ from, note }, i) => {
    const [key = '', value = ''] = rows[i] ?? [];
    const line = `  ${key.padEnd(keys ?? 0)}  ${value.padEnd(Math.min(values ?? 0, maxWidth))}  ${from}`;
    return [line, ...(note === null ? [] : [`    ${note}`])];
  });
};

/** Longer values do not widen the column. */
const maxWidth = 40;

const valueText = ({ value, isSecret, isSet }: ExplainedSetting): string => {
  if (isSecret && isSet) return '(secret)';
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return Array.isArray(value) ? value.join(',') : String(value);
};
