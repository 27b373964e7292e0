import type { DemoAccount, DemoAccounts } from '../accounts/demo-accounts.js';
import { nonePublished, type PublishedAccounts } from '../accounts/published-accounts.js';
import { hashSecret } from '../accounts/secrets.js';
import { emailKey } from '../records/user.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { counted } from '../web-pages/in-words.js';

/**
 * The users of the shipped fixtures and their sessions. A database into which the fixtures were imported has
 * them, too, and their credentials are public there as well. A test compares the names with the files.
 */
export const shippedUserIds = ['usr_acme', 'usr_boundary', 'usr_demo', 'usr_empty', 'usr_large'] as const;

/** What each tenant of the shipped fixtures is for, as the pages say it. */
export const shippedPurposes: Readonly<Record<(typeof shippedUserIds)[number], string>> = {
  usr_acme: 'A busy team: every severity, status and pull request state, failed scans and codemods.',
  usr_boundary: 'Edge cases: ties, nulls, very long names, right-to-left scripts and unusual states.',
  usr_demo: 'The data that every new account starts with.',
  usr_empty: 'A new account without repositories: every list is empty.',
  usr_large: 'About a thousand rows in thirty repositories: long lists and many pages.',
};

export const shippedSessions = [
  'acme-session',
  'acme-session-expired',
  'boundary-session',
  'demo-session',
  'empty-session',
  'large-session',
] as const;

/** The accounts of the shipped fixtures as published ones; none if visitors may change them. */
export const publishedShippedAccounts = (areMutable: boolean): PublishedAccounts => {
  if (areMutable) return nonePublished;
  const users = new Set<string>(shippedUserIds);
  const sessions = new Set(shippedSessions.map(hashSecret));
  return {
    isPublished: (userId) => users.has(userId),
    isPublishedSession: (session) => sessions.has(session),
  };
};

/** How many accounts a page shows at most. */
const maxShown = 12;

/**
 * The accounts of some fixtures, as the pages offer them. `areShipped`: the fixtures are those of the
 * package. Of the fixtures, no more is kept than what people are shown, and the ids and addresses of users.
 */
export const demoAccountsOf = (
  served: readonly Fixture[],
  { showPasswords, areShipped }: Readonly<{ showPasswords: boolean; areShipped: boolean }>,
): DemoAccounts => {
  const fixtures = areShipped ? served.filter(({ dataset }) => isShippedUser(dataset.user.id)) : served;
  const users = fixtures.map(({ dataset: { user } }) => ({ id: user.id, email: user.email }));
  return {
    shown: fixtures.slice(0, maxShown).map((fixture) => demoAccount(fixture, showPasswords, areShipped)),
    total: fixtures.length,
    find: (account) =>
      users.find(({ id }) => id === account) ??
      users.find(({ email }) => emailKey(email) === emailKey(account)) ??
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
