/**
 * The content of a fixture file as text, in the form of the shipped ones: each row has a line of its own, for
 * readers and for version control. Takes valid content, whose values are not nested deeply.
 */
export const fixtureText = (content: object): string => {
  const fields = Object.entries(content).filter(([, value]) => value !== undefined);
  if (fields.length === 0) return '{}\n';
  return `{\n${fields.map(([key, value]) => `  ${JSON.stringify(key)}: ${fieldText(value)}`).join(',\n')}\n}\n`;
};

const fieldText = (value: unknown): string => {
  if (!Array.isArray(value) || value.length === 0) return inOneLine(value);
  return `[\n${value.map((row: unknown) => `    ${inOneLine(row)}`).join(',\n')}\n  ]`;
};

/** JSON with a space after each colon and comma. */
const inOneLine = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${fields.map(([key, inner]) => `${JSON.stringify(key)}: ${inOneLine(inner)}`).join(', ')}}`;
};
