import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { finding, many, pullRequest, repo, scan, TriageApiError, tenant } from '../../src/builders/index.js';
import { validateDataset } from '../../src/records/validate-dataset.js';
import { startTriageApi } from '../../src/test-server/index.js';
import { completed } from '../completion/_completed.js';

/** The lines of the error that a call throws. */
const problemsOf = (t: ExecutionContext, call: () => unknown): readonly string[] =>
  t.throws(call, { instanceOf: TriageApiError })?.problems ?? [];

test('one line makes a tenant whose finding a server lists', async (t) => {
  const fixtures = tenant({ findings: [finding({ package: 'lodash', severity: 'critical' })] });
  const api = await startTriageApi({ fixtures });
  t.teardown(api.stop);
  t.is(api.session, 'tenant-session');
  const { items } = Object(await (await api.fetch('/api/v1/findings')).json());
  t.is(items.length, 1);
  t.like(items[0], { id: fixtures.fixDrafts[0]?.id, package: 'lodash', severity: 'critical' });
});

test('rows are completed as those of a fixture file', (t) => {
  const web = repo({ repo: 'acme/web', defaultBranch: 'trunk' });
  const built = tenant({
    name: 'acme',
    repos: [web],
    findings: [
      finding({ repo: web, package: 'lodash', pullRequest: pullRequest({ prState: 'merged' }) }),
      finding({ repo: 'acme/api' }),
      finding(),
    ],
    scans: [scan({ repo: web, status: 'failed' })],
  });
  const { $schema: _, ...file } = completed(
    {
      repos: [{ repo: 'acme/web', defaultBranch: 'trunk' }],
      findings: [
        { repo: 'acme/web', package: 'lodash', pullRequest: { prState: 'merged' } },
        { repo: 'acme/api' },
        {},
      ],
      scans: [{ repo: 'acme/web', status: 'failed' }],
    },
    'acme',
  );
  t.deepEqual(built, file);
});

test('a row may list others or refer to one, and what it refers to need not be listed', (t) => {
  const [web, api] = [repo({ repo: 'acme/web', findings: [finding({ package: 'braces' })] }), repo()];
  const found = finding({ repo: web, package: 'lodash', pullRequests: many(2, () => pullRequest()) });
  const { repos, fixDrafts, scans, pullRequests } = tenant({
    pullRequests: [pullRequest({ finding: found, prState: 'closed' })],
    scans: [scan({ repo: api, findingsSeen: 7 })],
  });
  t.deepEqual(
    repos.map((each) => `${each.owner}/${each.repo}`),
    ['tenant/app', 'acme/web'],
  );
  const webId = repos[1]?.id;
  t.deepEqual(
    fixDrafts.map((each) => [each.package, each.repoId]),
    [
      ['lodash', webId],
      ['braces', webId],
    ],
  );
  t.deepEqual(
    pullRequests.map((each) => each.draftId),
    [fixDrafts[0]?.id, fixDrafts[0]?.id, fixDrafts[0]?.id],
  );
  t.is(scans.find(({ findingsSeen }) => findingsSeen === 7)?.repoId, repos[0]?.id);
});

test('the repository of a finding is found, even if a pull request has led to the finding first', (t) => {
  const first = finding({ package: 'lodash' });
  const second = finding({ repo: repo({ repo: 'acme/web', findings: [first] }) });
  const { repos, fixDrafts } = tenant({
    pullRequests: [pullRequest({ finding: first }), pullRequest({ finding: second })],
  });
  t.deepEqual(
    repos.map((each) => each.repo),
    ['web'],
  );
  t.deepEqual(
    fixDrafts.map(({ repoId }) => repoId),
    [repos[0]?.id, repos[0]?.id],
  );
});

test('rows with the same fields are different rows, also repositories without a name', (t) => {
  const { repos, fixDrafts } = tenant({
    repos: [...many(3, () => repo({ findings: many(2, () => finding()) })), repo({ repo: 'tenant/app-2' })],
  });
  t.deepEqual(
    repos.map((each) => each.repo),
    ['app', 'app-3', 'app-4', 'app-2'],
  );
  t.is(new Set(fixDrafts.map(({ id }) => id)).size, 6);
  t.is(new Set(fixDrafts.map(({ repoId }) => repoId)).size, 3);
});

test('the same seed gives the same data, and another one other ids, values and credentials', (t) => {
  const built = (seed?: number) =>
    tenant({
      seed,
      repos: [repo({ repo: 'acme/web' })],
      findings: many(20, () => finding({ repo: 'acme/api' })),
    });
  t.deepEqual(built(7), built(7));
  const [left, right] = [built(7), built(8)];
  t.deepEqual([left.user.id, right.user.id, built().user.id], ['usr_tenant-7', 'usr_tenant-8', 'usr_tenant']);
  for (const name of ['repos', 'scans', 'fixDrafts'] as const) {
    const ids = new Set(left[name].map(({ id }) => id));
    t.false(
      right[name].some(({ id }) => ids.has(id)),
      name,
    );
  }
  const packages = (data: typeof left) => data.fixDrafts.map((each) => each.package);
  t.notDeepEqual(packages(left), packages(right));
  t.notDeepEqual(packages(left), packages(built()));
});

test('what `tenant` returns can be the start of another tenant', (t) => {
  const base = tenant({ findings: [finding({ package: 'lodash', pullRequest: pullRequest() })] });
  t.deepEqual(tenant(base), base);
  const more = tenant({ ...base, findings: [finding({ package: 'braces' })] });
  t.deepEqual(
    more.fixDrafts.map((each) => each.package),
    ['braces', 'lodash'],
  );
  t.is(more.pullRequests.length, 1);
});

test('the credentials and the user follow from the name, unless they are given', (t) => {
  t.like(tenant({ name: 'shop' }), {
    user: { email: 'user@shop.test' },
    sessions: [{ value: 'shop-session' }],
  });
  const { user, sessions } = tenant({
    user: { name: 'Kit', password: 'secret' },
    sessions: [{ value: 'mine' }],
  });
  t.like(user, { name: 'Kit', password: 'secret' });
  t.deepEqual(
    sessions.map(({ value }) => value),
    ['mine'],
  );
});

test('everything that is wrong is listed at once, where it was written', (t) => {
  const twice = finding({ id: 'one' });
  const wrong: object = { severity: 'urgent', fixedRang: true };
  const other = repo({ repo: 'acme/api', defaultBranch: '\u0000' });
  t.deepEqual(
    problemsOf(t, () =>
      tenant({
        ...Object({ name: '', seed: 0.5, colour: 'red' }),
        repos: [repo({ findings: [finding(wrong), finding({ id: 'one' }), finding({ repo: other })] })],
        findings: [twice, twice, Object(null), finding({ repo: other, repoId: 'web' })],
        pullRequests: [pullRequest(Object({ finding: 'one' })), pullRequest({ draftId: 'two' })],
        scans: Object('none'),
      }),
    ),
    [
      'tenant /name: expected identifier, got ""',
      'tenant /seed: expected integer, got 0.5',
      'tenant /findings/1: the same object as /findings/0; list it once, or make another one',
      'tenant /scans: expected a list of scans, got an object',
      'tenant /repos/0/findings/2/repo: not the repo that lists it, /repos/0',
      'tenant /pullRequests/0/finding: expected what finding() returns, got "one"',
      'tenant /findings/3/repoId: contradicts repo: its id is "repo_0d917dfd70cf7dfe", not "web"',
      'tenant /repos/0/findings/2/repo/defaultBranch: expected text without U+0000 and unpaired surrogates, got "\\u0000"',
      'tenant /repos/0/findings/0/severity: expected one of critical, high, medium, low, got "urgent"',
      'tenant /repos/0/findings/0/fixedRang: unknown key; did you mean "fixedRange"?',
      'tenant /colour: unknown key; known keys are $schema, extends, remove, asOf, user, sessions, apiTokens, repos, scans, findings, fixDrafts, pullRequests',
      'tenant /pullRequests/0: 6 findings fit; give draftId, or repo and package',
      'tenant /findings/0/id: duplicate id "one"; /repos/0/findings/1/id has it already',
      'tenant /pullRequests/1/draftId: no entry of fixDrafts has the id "two"',
    ],
  );
});

test('what is no list, no count or no object is refused', (t) => {
  t.deepEqual(
    problemsOf(t, () => tenant(Object([1]))),
    ['tenant: expected the fields of a tenant, got an array of 1'],
  );
  t.deepEqual(
    problemsOf(t, () => many(-1, () => finding())),
    ['many: expected integer from 0 to 1000000, got -1'],
  );
});

test('ten thousand findings are no burden', (t) => {
  const data = tenant({ findings: many(10_000, (i) => finding({ reachability: i / 10_000 })) });
  t.is(new Set(data.fixDrafts.map(({ id }) => id)).size, 10_000);
  t.true(E.isRight(validateDataset(data)));
});
