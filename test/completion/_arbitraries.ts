import fc from 'fast-check';

/** Values for some fields of a row; each of them may be missing. */
const some = <A extends object>(fields: { readonly [K in keyof A]: fc.Arbitrary<A[K]> }) =>
  fc.record<A, never>(fields, { requiredKeys: [] });

const repoName = fc.constantFrom('acme/web', 'acme/api', 'team/app', 'labs/π');
const packageName = fc.constantFrom(
  'lodash',
  'Django',
  'django',
  'left-pad',
  '@acme/ui',
  'a:b',
  '__proto__',
  '',
);
const date = fc
  .date({
    min: new Date('2026-01-01T00:00:00.000Z'),
    max: new Date('2027-01-01T00:00:00.000Z'),
    noInvalidDate: true,
  })
  .map((moment) => moment.toISOString());
const text = fc.constantFrom('passing', 'failing', 'running', 'none', 'anything');
const prState = fc.constantFrom('open', 'merged', 'closed', 'cancelled', 'draft', null);

const ownPullRequest = some({
  toVersion: fc.constantFrom('4.17.21', 'next'),
  prState,
  ciStatus: text,
  hasCodemod: fc.boolean(),
  createdAt: date,
  updatedAt: date,
  reconciledAt: fc.option(date),
});

export const sparseFinding = some({
  repo: repoName,
  package: packageName,
  severity: fc.constantFrom('critical', 'high', 'medium', 'low'),
  ecosystem: fc.constantFrom('npm', 'PyPI', 'Maven'),
  advisoryId: fc.constantFrom('GHSA-35jh-r3h4-6jhm', 'CVE-2019-10744', 'mine'),
  vulnerableRange: fc.constantFrom('< 4.17.21', '<= 2', '*'),
  fixedRange: fc.constantFrom('>= 4.17.21', '> 2.0', 'none'),
  status: fc.constantFrom('pending', 'drafting', 'escalated', 'resolved'),
  ciStatus: text,
  reachability: fc.constantFrom(0, 0.5, 7),
  discoveredAt: date,
  updatedAt: date,
  reconciledAt: fc.option(date),
  pullRequest: ownPullRequest,
});

const scan = some({
  repo: repoName,
  status: fc.constantFrom('completed', 'running', 'failed', 'partial', 'ok'),
  startedAt: date,
  finishedAt: date,
  error: fc.option(text),
});

const repo = some({
  repo: fc.constantFrom('acme/web', 'shop'),
  defaultBranch: fc.constantFrom('trunk'),
  scanStatusBadge: fc.constantFrom('attention', 'never_scanned'),
});

/** Repositories, of which only one has a name. */
const repos = fc.uniqueArray(repo, { selector: ({ repo: name }) => name, maxLength: 3 });

const list = <A>(row: fc.Arbitrary<A>) => fc.array(row, { maxLength: 8, size: 'max' });

/** Fixtures of which most is missing. Their pull requests stand inside of findings. */
export const sparseFixture = fc.record(
  {
    asOf: date,
    user: some({ name: fc.constantFrom('Kit'), password: fc.constantFrom('secret') }),
    sessions: fc.constant([{ value: 'a-session' }]),
    repos,
    scans: list(scan),
    findings: list(sparseFinding),
  },
  { requiredKeys: [] },
);
