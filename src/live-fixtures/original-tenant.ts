import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { type Problem, problem } from '../codecs/problem.js';
import { readDataset } from '../completion/complete-dataset.js';
import type { Dataset } from '../records/dataset.js';
import type { ChangeRefused } from '../simulation/live-data.js';
import type { TenantRequest } from '../simulation/on-demand-tenant.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { tenantNamed } from './changed-fixtures.js';
import { isDemoFixture } from './demo-fixture.js';

/** What a tenant on demand is a copy of: `name` is null if its data was sent. */
export type OriginalTenant = Readonly<{ name: string | null; dataset: Dataset }>;

/** Finds what a tenant is to be a copy of, or completes and validates what was sent, as a file. */
export const originalOf = (
  fixtures: readonly Fixture[],
  source: TenantRequest['source'],
): E.Either<ChangeRefused, OriginalTenant> => {
  if (source._tag === 'Given') return given(source.fixture);
  const found =
    source.name === null ? (fixtures.find(isDemoFixture) ?? fixtures[0]) : tenantNamed(fixtures, source.name);
  return found === undefined
    ? E.left({ _tag: 'UnknownTenant', known: fixtures.map(({ name }) => name) })
    : E.right({ name: found.name, dataset: found.dataset });
};

/** The most rows that data may have that is sent: completing them takes time, while others wait. */
const maxGivenRows = 10_000;

const given = (fixture: unknown): E.Either<ChangeRefused, OriginalTenant> => {
  const lists = Object.values(UnknownRecord.is(fixture) ? fixture : {}).filter(Array.isArray);
  const rows = lists.reduce((sum, list) => sum + list.length, 0);
  if (rows > maxGivenRows) {
    const message = `${rows} rows; data that is sent has at most ${maxGivenRows}`;
    return E.left({ _tag: 'InvalidChange', problems: [problem(['fixture'], message)] });
  }
  const valid = readDataset(fixture, 'tenant');
  return E.isLeft(valid)
    ? E.left({ _tag: 'InvalidChange', problems: valid.left.map(inFixture) })
    : E.right({ name: null, dataset: valid.right });
};

const inFixture = ({ path, ...problem }: Problem): Problem => ({ ...problem, path: ['fixture', ...path] });
