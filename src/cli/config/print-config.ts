import { keyOf } from '../settings/option.js';
import { originLabel, type Setting } from '../settings/read-settings.js';

/** Longer values do not widen the column. */
const maxWidth = 40;

/** The settings of a command as a table: the value of each, and where it comes from. */
export const configText = (file: string | null, settings: readonly Setting[]): string => {
  const rows = settings
    .filter(({ option }) => option.variable !== null)
    .map((setting) => ({
      key: keyOf(setting.option),
      text: valueText(setting),
      ...setting,
    }));
  const keyWidth = Math.max(...rows.map(({ key }) => key.length));
  const width = Math.min(maxWidth, Math.max(...rows.map(({ text }) => text.length)));
  return [
    `config file: ${file ?? 'none'}`,
    ...rows.flatMap(({ key, text, origin, note }) => [
      `  ${key.padEnd(keyWidth)}  ${text.padEnd(width)}  ${originLabel(origin)}`,
      ...(note === null ? [] : [`    ${note}`]),
    ]),
  ].join('\n');
};

const valueText = ({ option, given, value, problem }: Setting): string => {
  const shown = problem !== null || isStructure(value) ? given : value;
  if (shown === undefined || (Array.isArray(shown) && shown.length === 0)) return 'none';
  if (option.isSecret === true) return '(secret)';
  return Array.isArray(shown) ? shown.join(',') : String(shown);
};

/** Whether only programs understand it. */
const isStructure = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);
