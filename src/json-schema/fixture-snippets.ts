import type { JsonObject } from './json.js';

/** A piece of a file that an editor offers: `body` with places to fill in, in the syntax of VS Code. */
type Snippet = Readonly<{ label: string; description: string; body: JsonObject }>;

/** A place to fill in, with what stands there at first. */
const place = (nth: number, text: string): string => `\${${nth}:${text}}`;

/** A place where one of some texts is chosen. */
const choice = (nth: number, ...texts: readonly string[]): string => `\${${nth}|${texts.join(',')}|}`;

const finding: JsonObject = { repo: 'acme/web', package: 'lodash', severity: 'high' };
const findingWithPullRequest: JsonObject = {
  repo: 'acme/api',
  package: 'axios',
  pullRequest: { prState: 'merged' },
};
const repo: JsonObject = { repo: 'acme/web', defaultBranch: 'main' };
const scan: JsonObject = { repo: 'acme/web', status: 'failed', error: 'The lock file could not be parsed.' };
const pullRequest: JsonObject = { repo: 'acme/web', package: 'lodash', prState: 'open' };

const findingSnippets: readonly Snippet[] = [
  {
    label: 'finding',
    description: 'A vulnerable package of a repository',
    body: {
      repo: place(1, 'acme/web'),
      package: place(2, 'lodash'),
      severity: choice(3, 'critical', 'high', 'medium', 'low'),
    },
  },
  {
    label: 'finding with a pull request',
    description: 'A vulnerable package, and the pull request that fixes it',
    body: {
      repo: place(1, 'acme/web'),
      package: place(2, 'lodash'),
      severity: choice(3, 'critical', 'high', 'medium', 'low'),
      pullRequest: { prState: choice(4, 'open', 'merged', 'closed', 'cancelled') },
    },
  },
];

/** What an editor offers for the rows of each collection, and examples of rows. */
export const rowHelp: Readonly<
  Record<string, Readonly<{ snippets: readonly Snippet[]; examples: readonly JsonObject[] }>>
> = {
  findings: { snippets: findingSnippets, examples: [finding, findingWithPullRequest] },
  fixDrafts: { snippets: findingSnippets, examples: [finding, findingWithPullRequest] },
  repos: {
    snippets: [
      {
        label: 'repo',
        description: 'A connected repository',
        body: { repo: place(1, 'acme/web'), defaultBranch: place(2, 'main') },
      },
    ],
    examples: [repo],
  },
  scans: {
    snippets: [
      {
        label: 'scan',
        description: 'A scan of a repository',
        body: { repo: place(1, 'acme/web'), status: choice(2, 'completed', 'running', 'failed', 'partial') },
      },
    ],
    examples: [scan],
  },
  pullRequests: {
    snippets: [
      {
        label: 'pull request',
        description: 'A pull request of the only finding about this package in this repository',
        body: {
          repo: place(1, 'acme/web'),
          package: place(2, 'lodash'),
          prState: choice(3, 'open', 'merged', 'closed', 'cancelled'),
        },
      },
    ],
    examples: [pullRequest],
  },
};

/** What an editor offers for a whole file. */
export const fileSnippets: readonly Snippet[] = [
  {
    label: 'fixture',
    description: 'A tenant with a finding; everything else is completed',
    body: {
      $schema: place(1, '../node_modules/triage-api/schema/fixture.schema.json'),
      findings: [
        {
          repo: place(2, 'acme/web'),
          package: place(3, 'lodash'),
          severity: choice(4, 'critical', 'high', 'medium', 'low'),
        },
      ],
    },
  },
  {
    label: 'fixture that extends another one',
    description: 'The rows of a shipped fixture, with changes',
    body: { extends: choice(1, 'acme', 'demo', 'large', 'boundary', 'empty'), findings: [], remove: [] },
  },
];

/** Whole files, the smallest first. */
export const fileExamples: readonly JsonObject[] = [
  { findings: [finding] },
  {
    repos: [repo],
    findings: [finding, findingWithPullRequest],
    scans: [scan],
    pullRequests: [pullRequest],
  },
  { extends: 'acme', findings: [{ id: 'fix_0001', status: 'resolved' }, finding], remove: ['repo_spike'] },
];
