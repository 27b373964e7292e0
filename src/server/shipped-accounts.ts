import { nonePublished, type PublishedAccounts } from '../accounts/published-accounts.js';
import { hashSecret } from '../accounts/secrets.js';

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
