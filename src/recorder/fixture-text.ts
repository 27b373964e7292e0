import { Dataset } from '../records/dataset.js';

/** A dataset as the text of a file, a row a line, so that people can read it and version control can compare it. */
export const fixtureText = (dataset: Dataset): string => {
  const fields = Object.entries(Dataset.encode(dataset)).filter(([, value]) => value !== undefined);
  return `{\n${fields.map(([key, value]) => `  ${JSON.stringify(key)}: ${valueText(value)}`).join(',\n')}\n}\n`;
};

const valueText = (value: unknown): string => {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((row: unknown) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`;
};
