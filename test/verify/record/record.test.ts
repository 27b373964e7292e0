import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { FindingStatus, PrStatus, Severity } from '../../../src/contract/enums.js';
import { asFixture, tenant } from '../../../src/storage-kit/conformance/api-cases.js';
import { at, dataset, now } from '../../_data.js';
import { runs } from '../../_runs.js';
import { cookie, serve, type TestServer } from '../../_server.js';
import { shippedDatasets as shipped } from '../../_shipped.js';
import { sendTo } from '../_judge.js';
import {
  failureOf,
  few,
  fileCredentials,
  json,
  listsOf,
  many,
  recordingOf,
  serverThatSends,
  session,
} from './_recording.js';

test('values that the server derives differently are warned about by row and field', async (t) => {
  const lists = {
    ...few,
    repos: few.repos.map((repo) => ({
      ...repo,
      openFixDraftId: 'fix_2',
      openAdvisoryCount: 9,
      ownerInitial: 'AC',
    })),
    prs: few.prs.map((pr) => ({ ...pr, package: 'other' })),
  };
  const { warnings } = await recordingOf(lists);
  t.deepEqual(warnings, [
    'repos "web": openAdvisoryCount is 9 on the server, but 1 when the file is served',
    'repos "web": openFixDraftId is "fix_2" on the server, but "fix_0" when the file is served',
    'repos "web": ownerInitial is "AC" on the server, but "A" when the file is served',
    ...['fix_0', 'fix_1', 'fix_2'].map(
      (id) => `prs "${id}": package is "other" on the server, but "lodash" when the file is served`,
    ),
  ]);
});

test('a different order is warned about once, at its beginning; of many rows with the same difference five are named', async (t) => {
  const lists = {
    ...many,
    findings: [...many.findings].reverse(),
    prs: many.prs.map((pr) => ({ ...pr, advisoryId: 'x' })),
  };
  const { warnings } = await recordingOf(lists);
  t.is(warnings[0], 'findings: the order differs from "fix_249" on: the served file has "fix_0" there');
  t.is(warnings.length, 1 + 5 + 1);
  t.is(warnings.at(-1), 'prs: the same applies to 245 more rows');
});

test('a recording that reaches the limit of requests fails', async (t) => {
  const result = await failureOf(many, { maxRequests: 4 });
  t.deepEqual(result, ['4 requests (--max-requests) were not enough to read everything']);
});

test('a session that the server sends back is redacted in the file and the warnings', async (t) => {
  const lists = {
    ...few,
    findings: few.findings.map((finding) => ({
      ...finding,
      ciStatus: `by ${session}`,
      package: encodeURIComponent(session),
    })),
    prs: few.prs.map((pr) => ({ ...pr, package: encodeURIComponent(session) })),
  };
  const { text, warnings } = await recordingOf(lists);
  for (const written of [text, warnings.join()]) {
    t.false(written.includes(session) || written.includes(encodeURIComponent(session)), written);
  }
  t.deepEqual(warnings, ['responses contained the session; it was replaced by [secret]']);
});

test('a session whose slash is escaped in JSON is redacted', async (t) => {
  const text = JSON.stringify([{ ...few.repos[0], owner: session }]).replaceAll('/', '\\/');
  const send = serverThatSends(few, '/api/v1/repos', { ...json(null), text });
  t.false((await recordingOf(send)).text.includes(session));
});

test('fields that the contract does not define are not recorded, with a warning', async (t) => {
  const lists = { ...few, repos: few.repos.map((repo) => ({ ...repo, internal: 'x' })) };
  const { text, warnings } = await recordingOf(lists);
  t.false(text.includes('internal'));
  t.deepEqual(warnings, ['repos /*/internal: not recorded, because the contract does not define it']);
});

/** Every request whose response depends on the data: each list, page, filter and finding. */
const requestsFor = async (server: TestServer, value: string): Promise<readonly string[]> => {
  const listed = async (path: string): Promise<readonly { id: string }[]> => {
    const { body } = await server.ask(path, cookie(value));
    return Array.isArray(body) ? body : Object(body).items;
  };
  const repos = await listed('/api/v1/repos');
  const pages = Array.from({ length: 8 }, (_, index) => `page=${index + 1}`);
  const filtersBy = ({ keys }: Readonly<{ keys: object }>, name: string) =>
    Object.keys(keys).map((value) => `${name}=${value}`);
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
    ...[...queries, ...filtersBy(Severity, 'severity'), ...filtersBy(FindingStatus, 'status')].map(
      (query) => `/api/v1/findings?${query}`,
    ),
    ...[...queries, ...filtersBy(PrStatus, 'status'), 'status=open&repoId=repo_pr_ties'].map(
      (query) => `/api/v1/prs?${query}`,
    ),
    ...findings,
    '/api/v1/findings/nope',
  ];
};

for (const tenantData of shipped) {
  const { user, sessions } = tenantData;
  test(`a server of the recorded file sends the same bytes as the original: ${user.id}`, async (t) => {
    const value = sessions[0]?.value ?? '';
    const original = await serve(t, [tenantData]);
    const recording = await recordingOf(
      (request) => sendTo(original.url)({ ...request, headers: { Cookie: `session=${value}` } }),
      {
        asOf: now,
      },
    );
    t.deepEqual(recording.warnings, []);
    const copy = await serve(t, [dataset(JSON.parse(recording.text))]);
    const requests = await requestsFor(original, value);
    t.true(requests.length >= 40);
    for (const request of requests) {
      const expected = await original.ask(request, cookie(value));
      const got = await copy.ask(request, cookie(fileCredentials.session));
      t.deepEqual([got.status, got.text], [expected.status, expected.text], request);
    }
    const byToken = { headers: { Authorization: `Bearer ${fileCredentials.token}` } };
    t.is((await copy.ask('/api/v1/prs', byToken)).status, 200);
  });
}

const assertRoundTrip = async (t: ExecutionContext, data: Parameters<typeof asFixture>[1]): Promise<void> => {
  const lists = listsOf(dataset(asFixture('any', data)));
  const recording = await recordingOf(lists);
  t.deepEqual(recording.warnings, []);
  t.deepEqual(listsOf(recording.dataset), lists);
};

test('the lists of any tenant are the same after recording and serving: ties, repositories without scans, any states', async (t) => {
  await fc.assert(
    fc.asyncProperty(tenant, (data) => assertRoundTrip(t, data)),
    runs(),
  );
});

test('the lists of a tenant whose pull requests are all open and were updated together are the same after recording and serving', async (t) => {
  const together = { prState: 'open', updatedAt: now };
  await fc.assert(
    fc.asyncProperty(tenant, (data) =>
      assertRoundTrip(t, {
        ...data,
        pullRequests: data.pullRequests.map((pullRequest) => ({ ...pullRequest, ...together })),
      }),
    ),
    runs(),
  );
});

test('asOf is the time of the server, the session in the file is valid for a year, and the one used is not in the file', async (t) => {
  const lists = listsOf(dataset(asFixture('any', { repos: [], scans: [], fixDrafts: [], pullRequests: [] })));
  const { dataset: data, text } = await recordingOf(lists);
  t.is(data.asOf, timestampAt(at(now)));
  t.is(at(String(data.sessions[0]?.expiresAt)), at('2027-11-20T12:00:00.000Z'));
  t.false(text.includes(session));
});
