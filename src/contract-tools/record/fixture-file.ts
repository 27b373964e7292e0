import type * as E from '#fp-ts/Either';
import type { Problem } from '../../contract/codecs/problem.js';
import { millisecondsOf, type Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';
import { Dataset, type TenantRows } from '../../records/dataset.js';
import { validateDataset } from '../../records/validate-dataset.js';
import type { FixtureUser } from './fixture-user.js';

const year = 365 * 24 * 60 * 60 * 1000;

/**
 * The dataset of a fixture file: rows as they were at `asOf`, and a user whose credentials are valid from
 * then on. `schema` is the value of `$schema`. `left`: everything for which `check` would reject the file.
 */
export const fixtureDataset = (
  rows: TenantRows,
  { id, email, name, password, session, token }: FixtureUser,
  asOf: Timestamp,
  schema: string | undefined,
): E.Either<readonly Problem[], Dataset> => {
  const expiresAt = timestampAt(millisecondsOf(asOf) + year);
  return validateDataset({
    ...(schema === undefined ? {} : { $schema: schema }),
    asOf,
    user: { id, email, name, password },
    sessions: [{ id: 'ses_1', value: session, createdAt: asOf, expiresAt }],
    apiTokens: [{ id: 'tok_1', name: 'recorded', token, createdAt: asOf, expiresAt: null, revokedAt: null }],
    ...rows,
  });
};

/** A dataset as the text of a file. Each row has a line of its own, for readers and for version control. */
export const fixtureText = (dataset: Dataset): string => textOfFields({ ...Dataset.encode(dataset) });

/** The same for the fields of a fixture file of which anything may be missing. */
export const textOfFields = (content: Readonly<Record<string, unknown>>): string => {
  const fields = Object.entries(content).filter(([, value]) => value !== undefined);
  const lines = fields.map(([key, value]) => `  ${JSON.stringify(key)}: ${valueText(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
};

const valueText = (value: unknown): string => {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((row: unknown) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`;
};
