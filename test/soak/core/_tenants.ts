import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aToken } from '../../_data.js';

/** The mark that every text of a tenant carries. */
export const markOf = (tenant: string): string => `~${tenant}~`;

/** The tenants whose marks are in a text. */
export const marksIn = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(/~([a-z]+\d+)~/g), ([, name]) => name ?? ''));

const past = '2026-01-01T00:00:00.000Z';
const future = '2099-01-01T00:00:00.000Z';
const count = 12;

export const passwordOf = (tenant: string): string => `passphrase of ${tenant}`;
export const emailOf = (tenant: string): string => `${tenant}@soak.test`;
export const sessionsOf = (tenant: string, sessions: number): readonly string[] =>
  Array.from({ length: sessions }, (_, i) => `session-${tenant}-${i}`);
export const tokensOf = (tenant: string, tokens: number): readonly string[] =>
  Array.from({ length: tokens }, (_, i) => `token-${tenant}-${i}`);

/** How many credentials each tenant has in its file. */
export type Given = Readonly<{ sessions: number; tokens: number }>;

/**
 * The fixture of a tenant. All tenants have the same ids everywhere; only texts, which carry the mark of the
 * tenant and a version, and secrets differ.
 */
export const fixtureOf = (tenant: string, version: number, { sessions, tokens }: Given): unknown => {
  const mark = markOf(tenant);
  const indexes = Array.from({ length: count }, (_, i) => i);
  return {
    user: {
      id: `user-${tenant}`,
      email: emailOf(tenant),
      name: `Name ${mark}`,
      password: passwordOf(tenant),
    },
    sessions: sessionsOf(tenant, sessions).map((value, i) =>
      aSession(value, { id: `session-${i}`, createdAt: past, expiresAt: future }),
    ),
    apiTokens: tokensOf(tenant, tokens).map((value, i) =>
      aToken(value, { id: `token-${i}`, name: `Token ${mark}`, createdAt: past }),
    ),
    repos: indexes.map((i) => aRepo(`repo-${i}`, { owner: `owner ${mark}`, repo: `repo ${i} v${version}` })),
    scans: indexes.map((i) => aScan(`scan-${i}`, `repo-${i}`, { status: `done ${mark}` })),
    fixDrafts: indexes.map((i) =>
      aDraft(`draft-${i}`, `repo-${i}`, { package: `package ${mark} v${version}` }),
    ),
    pullRequests: indexes.map((i) =>
      aPullRequest(`pull-${i}`, `draft-${i}`, { branch: `branch ${mark}`, prState: 'open' }),
    ),
  };
};

/** Writes the fixture of a tenant; a reader sees the old file or the new one. */
export const writeFixture = async (
  directory: string,
  tenant: string,
  version: number,
  given: Given,
): Promise<void> => {
  await mkdir(directory, { recursive: true });
  const partial = join(directory, `${tenant}.partial`);
  await writeFile(partial, JSON.stringify(fixtureOf(tenant, version, given)));
  await rename(partial, join(directory, `${tenant}.json`));
};
