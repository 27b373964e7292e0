import * as E from '#fp-ts/Either';
import { nonePublished, type PublishedAccounts } from '../accounts/account-flow.js';
import type { Storage } from '../accounts/account-storage.js';
import type { DemoAccount, DemoAccounts, Persona, Personas } from '../accounts/demo-rows.js';
import { areAccepted } from '../accounts/sessions-and-tokens.js';
import type { Clock } from '../common/clock.js';
import type { Log } from '../common/log.js';
import { counted, didYouMean } from '../common/messages.js';
import type { FixtureProblems } from '../fixtures/file-problem.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { hashSecret } from '../protocol/credentials.js';
import { emailKey } from '../records/account-records.js';
import { compareFixDrafts } from '../records/row-order.js';
import { rowCount, type TenantRows } from '../records/row-records.js';
import { dateShift, shiftRows } from '../records/shift-dates.js';
import { firstOf } from '../storage/memory/tenant-index.js';
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
  const most = maxPersonaRows(maxSignUps);
  const limit = `at most ${most} are allowed${maxSignUps === null ? '' : ` with --max-signups ${maxSignUps}`}`;
  const known = fixtures.map(({ name }) => name);
  const personas: Persona[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const refuse = (why: string) => problems.push(`persona ${JSON.stringify(name)}: ${why}`);
    const fixture = fixtures.find((each) => each.name === name);
    if (fixture === undefined) {
      refuse(`expected one of ${known.join(', ')}${didYouMean(name, known)}`);
      continue;
    }
    const { repos, fixDrafts } = fixture.dataset;
    const rows = rowCount(fixture.dataset);
    if (rows > most) refuse(`${rows} rows; ${limit}, because every account gets a copy`);
    else
      personas.push({ name, repos: repos.length, findings: fixDrafts.length, rows: demoTemplate(fixture) });
  }
  return { personas, problems };
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

/** What each tenant of the shipped fixtures is for, by the id of its user, as the pages say it. */
const shippedPurposes = {
  usr_acme: 'A busy team: every severity, status and pull request state, failed scans and codemods.',
  usr_boundary: 'Edge cases: ties, nulls, very long names, right-to-left scripts and unusual states.',
  usr_demo: 'The data that every new account starts with.',
  usr_empty: 'A new account without repositories: every list is empty.',
  usr_large: 'About a thousand rows in thirty repositories: long lists and many pages.',
};

/**
 * The users of the shipped fixtures and their sessions. A database into which the fixtures were imported has
 * them, too, and their credentials are public there as well. A test compares the names with the files.
 */
export const shippedUserIds = Object.keys(shippedPurposes);

export const shippedSessions = [
  'acme-session',
  'acme-session-expired',
  'boundary-session',
  'demo-session',
  'empty-session',
  'large-session',
];

/** The accounts of the shipped fixtures as published ones; none if visitors may change them. */
export const publishedShippedAccounts = (areMutable: boolean): PublishedAccounts =>
  areMutable ? nonePublished : published(shippedUserIds, shippedSessions);

/** The users and sessions in the files. A session that a visitor starts is not among them. */
export const publishedAccounts = (fixtures: readonly Fixture[]): PublishedAccounts =>
  published(
    fixtures.map(({ dataset }) => dataset.user.id),
    fixtures.flatMap(({ dataset }) => dataset.sessions.map(({ value }) => value)),
  );

const published = (userIds: readonly string[], sessionValues: readonly string[]): PublishedAccounts => {
  const users = new Set(userIds);
  const sessions = new Set(sessionValues.map(hashSecret));
  return {
    isPublished: (userId) => users.has(userId),
    isPublishedSession: (session) => sessions.has(session),
  };
};

/** How many accounts a page shows at most. */
const maxShown = 12;

/**
 * The accounts of some fixtures, as the pages offer them. `areShipped`: the fixtures are those of the
 * package. Of the fixtures, no more is kept than what people are shown, and what accounts are found by.
 */
export const demoAccountsOf = (
  served: readonly Fixture[],
  { showPasswords, areShipped }: Readonly<{ showPasswords: boolean; areShipped: boolean }>,
): DemoAccounts => {
  const fixtures = areShipped ? served.filter(({ dataset }) => isShippedUser(dataset.user.id)) : served;
  const users = fixtures.map(({ name, dataset: { user } }) => ({ name, id: user.id, email: user.email }));
  return {
    shown: fixtures.slice(0, maxShown).map((fixture) => demoAccount(fixture, showPasswords, areShipped)),
    total: fixtures.length,
    find: (account) =>
      users.find(({ id }) => id === account) ??
      users.find(({ email }) => emailKey(email) === emailKey(account)) ??
      users.find(({ name }) => name === account) ??
      null,
    areShipped,
  };
};

const isShippedUser = (id: string): id is keyof typeof shippedPurposes => Object.hasOwn(shippedPurposes, id);

const demoAccount = (fixture: Fixture, showPasswords: boolean, areShipped: boolean): DemoAccount => {
  const { user, repos, fixDrafts, pullRequests } = fixture.dataset;
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    password: showPasswords ? user.password : null,
    purpose: areShipped && isShippedUser(user.id) ? shippedPurposes[user.id] : purposeOf(fixture),
    repos: repos.length,
    findings: fixDrafts.length,
    openPrs: pullRequests.filter(({ prState }) => prState === 'open').length,
  };
};

/** What stands out in a fixture: the file does not say what it is for. */
const purposeOf = ({ name, dataset: { repos, scans, fixDrafts } }: Fixture): string => {
  if (repos.length === 0) return `The fixture ${name}: every list is empty.`;
  const remarks = [
    [fixDrafts.filter(({ severity }) => severity === 'critical').length, 'critical finding'],
    [fixDrafts.filter(({ status }) => status === 'escalated').length, 'escalated finding'],
    [scans.filter(({ status }) => status === 'failed').length, 'failed scan'],
  ] as const;
  const words = remarks.flatMap(([count, what]) => (count === 0 ? [] : [counted(count, what, `${what}s`)]));
  return words.length === 0
    ? `The fixture ${name}.`
    : `The fixture ${name}, with ${inEnglish.format(words)}.`;
};

const inEnglish = new Intl.ListFormat('en');

/**
 * Credentials of a tenant that work now, in clear text, for people to try; null where the tenant has none.
 */
export type SampleCredentials = Readonly<{
  name: string;
  email: string;
  /** Null if it must not be shown. */
  password: string | null;
  session: string | null;
  token: string | null;
  /** The first finding of its list. */
  findingId: string | null;
}>;

/**
 * The samples of each tenant: the first session and token that the storage accepts, and the first finding.
 */
export const sampleCredentials = async (
  { storage, clock }: Readonly<{ storage: Storage; clock: Clock }>,
  fixtures: readonly Fixture[],
  showPasswords: boolean,
): Promise<readonly SampleCredentials[]> => {
  const isAccepted = areAccepted({ storage, clock });
  const samples: SampleCredentials[] = [];
  for (const { name, dataset } of fixtures) {
    const { user, sessions, apiTokens, fixDrafts } = dataset;
    const session = await firstThat(sessions, ({ value }) => isAccepted({ sessionValue: value }));
    const apiToken = await firstThat(apiTokens, ({ token }) => isAccepted({ bearerToken: token }));
    samples.push({
      name,
      email: user.email,
      password: showPasswords ? user.password : null,
      session: session?.value ?? null,
      token: apiToken?.token ?? null,
      findingId: firstOf(fixDrafts, compareFixDrafts)?.id ?? null,
    });
  }
  return samples;
};

const firstThat = async <A>(
  all: readonly A[],
  holds: (one: A) => Promise<boolean>,
): Promise<A | undefined> => {
  for (const one of all) if (await holds(one)) return one;
  return undefined;
};
