import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { timestampAt } from '../../src/codecs/timestamp.js';
import { FindingStatus, PrStatus, Severity } from '../../src/contract/enums.js';
import { asFixture, tenant } from '../../src/storage/conformance/arbitraries.js';
import type { Tenant } from '../../src/storage/conformance/contract-model.js';
import { at, dataset, now } from '../_data.js';
import { cookie, serve, type TestServer } from '../_server.js';
import { sendTo, shipped } from '../verify/_judge.js';
import { answersOf, recorded, sendOver, session, theRecording } from './_recorded.js';

/** Every request that can tell of the data: each list whole and by pages, each filter, each finding. */
const requestsFor = async (server: TestServer, value: string): Promise<readonly string[]> => {
  const listed = async (path: string): Promise<readonly { id: string }[]> => {
    const { body } = await server.ask(path, cookie(value));
    return Array.isArray(body) ? body : Object(body).items;
  };
  const repos = await listed('/api/v1/repos');
  const pages = Array.from({ length: 8 }, (_, index) => `page=${index + 1}`);
  const words = ({ keys }: Readonly<{ keys: object }>, name: string) =>
    Object.keys(keys).map((word) => `${name}=${word}`);
  const queries = [
    ...pages,
    ...pages.map((page) => `${page}&limit=100`),
    'limit=7&page=3',
    ...repos.map(({ id }) => `repoId=${encodeURIComponent(id)}`),
    'repoId=nope',
  ];
  const findings: string[] = [];
  for (const page of pages) {
    const rows = await listed(`/api/v1/findings?limit=100&${page}`);
    findings.push(...rows.map(({ id }) => `/api/v1/findings/${encodeURIComponent(id)}`));
  }
  return [
    '/api/v1/repos',
    ...[...queries, ...words(Severity, 'severity'), ...words(FindingStatus, 'status')].map(
      (query) => `/api/v1/findings?${query}`,
    ),
    ...[...queries, ...words(PrStatus, 'status'), 'status=open&repoId=repo_pr_ties'].map(
      (query) => `/api/v1/prs?${query}`,
    ),
    ...findings,
    '/api/v1/findings/nope',
  ];
};

for (const original of shipped) {
  const { user, sessions } = original;
  test(`${user.id}, recorded and served, answers every request with the same bytes`, async (t) => {
    const value = sessions[0]?.value ?? '';
    const real = await serve(t, [original]);
    const recording = theRecording(
      await recorded((request) => sendTo(real.url)({ ...request, headers: { Cookie: `session=${value}` } }), {
        asOf: now,
      }),
    );
    t.deepEqual(recording.warnings, []);
    const copy = await serve(t, [dataset(JSON.parse(recording.text))]);
    const requests = await requestsFor(real, value);
    t.true(requests.length >= 40);
    for (const request of requests) {
      const expected = await real.ask(request, cookie(value));
      const got = await copy.ask(request, cookie('team-recorded-session'));
      t.deepEqual([got.status, got.text], [expected.status, expected.text], request);
    }
    const byToken = { headers: { Authorization: 'Bearer team-recorded-token' } };
    t.is((await copy.ask('/api/v1/prs', byToken)).status, 200);
  });
}

const isServedAsItWas = async (t: ExecutionContext, data: Tenant): Promise<void> => {
  const said = answersOf(dataset(asFixture('any', data)));
  const recording = theRecording(await recorded(sendOver(() => said)));
  t.deepEqual(recording.warnings, []);
  t.deepEqual(answersOf(recording.dataset), said);
};

test('any tenant, recorded, is served as it was: ties, repositories without scans, whatever states', async (t) => {
  await fc.assert(
    fc.asyncProperty(tenant, (data) => isServedAsItWas(t, data)),
    { numRuns: 200 },
  );
});

test('so is one whose pull requests are all open and were updated together', async (t) => {
  const together = { prState: 'open', updatedAt: now };
  await fc.assert(
    fc.asyncProperty(tenant, (data) =>
      isServedAsItWas(t, {
        ...data,
        pullRequests: data.pullRequests.map((pullRequest) => ({ ...pullRequest, ...together })),
      }),
    ),
    { numRuns: 200 },
  );
});

test('the moment of a recording is that of the server, and its secret is nowhere', async (t) => {
  const said = answersOf(
    dataset(asFixture('any', { repos: [], scans: [], fixDrafts: [], pullRequests: [] })),
  );
  const { dataset: data, text } = theRecording(await recorded(sendOver(() => said)));
  t.is(data.asOf, timestampAt(at(now)));
  t.is(at(String(data.sessions[0]?.expiresAt)), at('2027-11-20T12:00:00.000Z'));
  t.false(text.includes(session));
});
