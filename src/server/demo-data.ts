import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import type { Persona, Personas } from '../accounts/demo-rows.js';
import type { Log } from '../common/log.js';
import { didYouMean } from '../common/messages.js';
import {
  type Fixture,
  type FixtureProblems,
  readFixtureFile,
  readFixtures,
} from '../fixtures/read-fixtures.js';
import { shippedFixtures } from '../fixtures/shipped-fixtures.js';
import { rowCount, type TenantRows } from '../records/dataset.js';
import { dateShift, shiftRows } from '../records/shift-dates.js';

/** The demo fixture of the package. The other, larger ones are not read. */
export const readShippedDemo = (): Promise<E.Either<FixtureProblems, Fixture>> =>
  readFixtureFile(join(shippedFixtures, 'demo.json'));

/** The rows of a fixture for new accounts, with dates relative to a moment in milliseconds. */
export const demoTemplate =
  ({ dataset: { asOf, repos, scans, fixDrafts, pullRequests } }: Fixture): ((now: number) => TenantRows) =>
  (now) =>
    shiftRows({ repos, scans, fixDrafts, pullRequests }, dateShift(asOf, now));

/** The most rows that a persona may have, however few accounts there are: signing up has to be quick. */
const maxRows = 10_000;

/** The most rows that all copies may have that are kept in memory. */
const maxRowsInMemory = 1_000_000;

/** The most rows that a persona may have if so many accounts are kept in memory; null: none are. */
export const maxPersonaRows = (maxSignUps: number | null): number =>
  maxSignUps === null ? maxRows : Math.min(maxRows, Math.floor(maxRowsInMemory / maxSignUps));

/**
 * Looks up the fixtures that visitors may choose as personas, in the order of the names, and why others
 * cannot be chosen. `maxSignUps`: how many accounts are kept in memory; null: none are.
 */
export const personasNamed = (
  names: readonly string[],
  fixtures: readonly Fixture[],
  maxSignUps: number | null,
): Readonly<{ personas: readonly Persona[]; problems: readonly string[] }> => {
  const found = names.map((name) => personaNamed(name, fixtures, maxSignUps));
  return {
    personas: found.filter(E.isRight).map(({ right }) => right),
    problems: found.filter(E.isLeft).map(({ left }) => left),
  };
};

const personaNamed = (
  name: string,
  fixtures: readonly Fixture[],
  maxSignUps: number | null,
): E.Either<string, Persona> => {
  const fixture = fixtures.find((each) => each.name === name);
  if (fixture === undefined) {
    const known = fixtures.map((each) => each.name);
    return E.left(
      `persona ${JSON.stringify(name)}: expected one of ${known.join(', ')}${didYouMean(name, known)}`,
    );
  }
  const { repos, fixDrafts } = fixture.dataset;
  const rows = rowCount(fixture.dataset);
  const most = maxPersonaRows(maxSignUps);
  return rows > most
    ? E.left(
        `persona ${JSON.stringify(name)}: ${rows} rows; at most ${most} are allowed${
          maxSignUps === null ? '' : ` with --max-signups ${maxSignUps}`
        }, because every account gets a copy`,
      )
    : E.right({ name, repos: repos.length, findings: fixDrafts.length, rows: demoTemplate(fixture) });
};

/**
 * The personas of these names; without names, there is no choice. `left`: every problem. `follow` looks them
 * up in other fixtures from then on: a persona whose fixture disappears cannot be chosen until it is back,
 * which is logged once.
 */
export const followPersonas = (
  names: readonly string[],
  fixtures: readonly Fixture[],
  { log, maxSignUps }: Readonly<{ log: Log; maxSignUps: number }>,
): E.Either<
  FixtureProblems,
  Readonly<{ personas: Personas; follow: (fixtures: readonly Fixture[]) => void }>
> => {
  if (names.length === 0) return E.right({ personas: () => null, follow: () => {} });
  let chosen = personasNamed(names, fixtures, maxSignUps);
  if (chosen.problems.length > 0) return E.left(chosen.problems);
  return E.right({
    personas: () => chosen.personas,
    follow: (served) => {
      const before = new Set(chosen.problems);
      chosen = personasNamed(names, served, maxSignUps);
      const problems = chosen.problems.filter((problem) => !before.has(problem));
      if (problems.length > 0) log('warn', 'new accounts cannot start with these personas now', { problems });
    },
  });
};

/** Personas of these names among the fixtures of the package. `left`: every problem. */
export const shippedPersonas = async (
  names: readonly string[],
): Promise<E.Either<FixtureProblems, Personas>> => {
  if (names.length === 0) return E.right(() => null);
  const fixtures = await readFixtures(shippedFixtures)();
  if (E.isLeft(fixtures)) return fixtures;
  const { personas, problems } = personasNamed(names, fixtures.right, null);
  return problems.length > 0 ? E.left(problems) : E.right(() => personas);
};
