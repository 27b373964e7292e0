import test from 'ava';
import fc from 'fast-check';
import * as E from '#fp-ts/Either';
import type { HttpResponse } from '../../../src/client/fetch-send.js';
import { millisecondsOf, timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { arbitrary } from '../../../src/storage-kit/conformance/api-cases.js';
import { fixtureFromLists } from '../../../src/verify/record/fixture-from-lists.js';
import type { TenantLists } from '../../../src/verify/record/read-lists.js';
import { asFixture, at, dataset, now } from '../../_data.js';
import { runs } from '../../_runs.js';
import { emptyScan } from '../_mutation.js';
import * as R from './_recording.js';

const { failureOf, few, idsIn, json, listsOf, many, recordFrom, recordingOf, serverThatSends, serverWith } =
  R;
const { session, withFields, without } = R;

const [finding] = few.findings;
const [pr] = few.prs;
const pageOf = (...items: readonly unknown[]) => ({
  items,
  page: 1,
  limit: 100,
  totalItems: items.length,
  totalPages: 1,
});

const long = 'f3a9c1d27b804e56';
const loggedIn = ' (cookie: session)';

const sending = (name: keyof TenantLists, response: HttpResponse) =>
  serverThatSends(few, `/api/v1/${name}`, response);

/** Why nothing is recorded, with the request, the place and the problem. */
const refused: readonly (readonly [
  what: string,
  server: Parameters<typeof recordFrom>[0],
  lines: string | readonly string[],
  options?: Parameters<typeof recordFrom>[1],
])[] = [
  [
    'a value outside the enum',
    sending('findings', json(pageOf(finding, { ...finding, severity: 'moderate' }))),
    `GET /api/v1/findings?page=1&limit=100${loggedIn}: /items/1/severity: expected one of critical, high, medium, low, got "moderate"`,
  ],
  [
    'an object in place of an array',
    sending('repos', json({})),
    `GET /api/v1/repos${loggedIn}: expected array of Repo, got an object`,
  ],
  [
    'a body that is not JSON, which is not quoted',
    sending('prs', { ...json(null), text: `<p>${session}</p>` }),
    `GET /api/v1/prs?page=1&limit=100${loggedIn}: the body is not JSON`,
  ],
  [
    'the same problem of many rows',
    sending('prs', json(pageOf(...Array.from({ length: 30 }, () => ({ ...pr, branch: 7 }))))),
    `GET /api/v1/prs?page=1&limit=100${loggedIn}: /items/0/branch: expected string, got 7, and 29 more like it`,
  ],
  [
    'an id that the server lists twice',
    { ...few, repos: [...few.repos, ...few.repos] },
    '/repos/1/id: duplicate id "web"; /repos/0/id has it already',
  ],
  [
    'text that a fixture file cannot hold',
    withFields({ findings: { package: 'a\u0000b' } }),
    '/fixDrafts/0/package: expected text without U+0000 and unpaired surrogates, got "a\\u0000b", and 2 more like it',
  ],
  [
    'a limit of requests that is reached',
    many,
    '4 requests (--max-requests) were not enough to read everything',
    { maxRequests: 4 },
  ],
  ...['id', 'advisoryId'].map(
    (field) =>
      [
        `a long session in the field ${field}`,
        withFields({ findings: { [field]: `x-${long}` } }),
        [
          `GET /api/v1/findings?page=1&limit=100${loggedIn}: /items/0/${field} is an id that contains the value of --session`,
          'ids are never changed, and the session is never written: log in again, and record with the new session',
        ],
        { value: long },
      ] as const,
  ),
];

for (const [what, server, lines, options] of refused) {
  test(`nothing is recorded because of ${what}`, async (t) => {
    t.deepEqual(await failureOf(server, options), [lines].flat());
  });
}

test('of many kinds of problems 20 are listed and the others counted', async (t) => {
  const kinds = await failureOf(sending('repos', json([{}, { lastScan: {} }])));
  t.is(kinds.length, 21);
  t.regex(kinds.at(-1) ?? '', /: and \d+ more kinds of problems$/);
});

test('whatever the session is, a recording keeps its ids, and a long session is nowhere in it', async (t) => {
  const characters = fc.constantFrom('a', '1', '/');
  const sessions = fc.oneof(
    fc.string({ unit: characters, minLength: 4, maxLength: 15 }),
    fc.string({ unit: characters, minLength: 16, maxLength: 20 }),
  );
  const property = fc.asyncProperty(
    sessions.chain((value) => {
      const parts = fc.constantFrom(value, encodeURIComponent(value), 'session=', 'a', '1', ' ');
      return fc.tuple(
        fc.constant(value),
        fc.array(parts, { maxLength: 3 }),
        fc.array(parts, { maxLength: 5 }),
      );
    }),
    async ([value, idParts, textParts]) => {
      const [advisoryId, ciStatus] = [idParts.join(''), textParts.join('')];
      const lists = withFields({ findings: { advisoryId, ciStatus }, prs: { advisoryId } });
      const recorded = await recordFrom(lists, { value });
      const isInId = advisoryId.includes(value) || advisoryId.includes(encodeURIComponent(value));
      if (E.isLeft(recorded)) return value.length >= 16 && isInId;
      const { text, dataset } = recorded.right;
      const areKept = dataset.fixDrafts.every((draft) => draft.advisoryId === advisoryId);
      return areKept && (value.length < 16 || !(isInId || text.includes(value)));
    },
  );
  await t.notThrowsAsync(() => fc.assert(property, runs()));
});

/** Lists that change after `count` requests. */
const changing = (count: number, before: TenantLists, after: TenantLists) => {
  let requests = 0;
  return () => {
    requests += 1;
    return requests > count ? after : before;
  };
};

const { findings: all } = many;

for (const [what, count, findings] of [
  ...[2, 3, 5, 7, 8].map((count) => [`is deleted after ${count} requests`, count, without(all, 20)] as const),
  // Every other row moves down by one, so page 2 begins with the last row of page 1.
  ['moves to the top, and the total stays', 2, [...all.slice(-1), ...all.slice(0, -1)]],
  [
    'moves from the last page, so that another is on two pages',
    3,
    [...all.slice(0, 150), ...all.slice(-1), ...all.slice(150, -1)],
  ],
] as const) {
  test(`a list is read again if a row ${what}`, async (t) => {
    const after = { ...many, findings, prs: without(many.prs, 20) };
    const { dataset, requests } = await recordingOf(serverWith(changing(count, many, after)));
    t.deepEqual(idsIn(dataset.fixDrafts), idsIn(findings));
    t.is(dataset.pullRequests.length, 249);
    t.true(requests > 10);
  });
}

test('a list that changes on every read is given up; the message says how often it was read and what changed', async (t) => {
  let count = 0;
  const send = serverWith(() => {
    count += 1;
    return { ...many, findings: many.findings.slice(0, 250 - count) };
  });
  const lines = await failureOf(send);
  t.is(
    lines[0]?.replaceAll(/is \d+ on page 1 and \d+ on/g, 'is M on page 1 and N on'),
    'the lists changed during each of 4 reads: findings: totalItems is M on page 1 and N on page 2',
  );
});

/** A server whose pages of pull requests are these. */
const withPages = (lists: TenantLists, pageAt: (page: number) => Partial<ReturnType<typeof pageOf>>) =>
  serverWith(
    () => lists,
    ({ pathname, searchParams }) => {
      const page = Number(searchParams.get('page'));
      return pathname === '/api/v1/prs' ? json({ ...pageOf(), page, ...pageAt(page) }) : undefined;
    },
  );

test('a total that is wrong on every read is a warning, and the rows are recorded', async (t) => {
  const pageAt = (page: number) => ({ items: page === 1 ? few.prs : [], totalItems: 7 });
  const { dataset, warnings } = await recordingOf(withPages(few, pageAt));
  t.is(dataset.pullRequests.length, 3);
  t.deepEqual(warnings, ['prs: its pages hold 3 rows, but totalItems is 7 (on every read)']);
});

test('a list whose total differs from page to page on every read is not recorded, rather than cut off', async (t) => {
  const pageAt = (page: number) => ({
    items: many.prs.slice((page - 1) * 100, page * 100),
    totalItems: 250 + page,
    totalPages: 3,
  });
  const lines = await failureOf(withPages(many, pageAt));
  t.regex(lines.join(), /: totalItems is 251 on page 1 and 252 on page 2$/);
});

const one = timestampAt(at('2026-11-20T10:00:00.000Z'));

test('if no ids can preserve both the list order and openFixDraftId, the list order is preserved', async (t) => {
  const prs = few.prs.map((pr) => ({ ...pr, createdAt: one, updatedAt: one }));
  const repos = few.repos.map((repo) => ({ ...repo, openFixDraftId: prs[2]?.id ?? '' }));
  const { dataset } = await recordingOf({ ...few, prs, repos });
  t.deepEqual(idsIn(dataset.pullRequests), ['pr_1', 'pr_2', 'pr_3']);
});

test('of thousands of repositories, whose pull requests wait for those of the next one, all are recorded', (t) => {
  const [[repo], [pr], [finding]] = [few.repos, few.prs, few.findings];
  if (repo === undefined || pr === undefined || finding === undefined) return t.fail('no rows');
  const numbers = Array.from({ length: 20_000 }, (_, index) => index);
  const repos = numbers.map((n) => ({ ...repo, id: `repo_${n}`, lastScan: null, openFixDraftId: `b_${n}` }));
  // At each moment, newest first: what waits for a row of the moment before, and what another one waits for.
  const rows = numbers
    .toReversed()
    .flatMap((n) => [`a_${n}`, `b_${(n + 1) % numbers.length}`].map((id) => ({ id, at: 1000 * n })));
  const ofRepos = rows.map(({ id, at: milliseconds }) => ({
    id,
    repoId: `repo_${id.slice(2)}`,
    createdAt: timestampAt(millisecondsOf(one) + milliseconds),
  }));
  const prs = ofRepos.map((row) => ({ ...pr, ...row, prState: 'open', updatedAt: one }));
  const findings = ofRepos.map(({ id, repoId }) => ({ ...finding, id, repoId }));
  const user = { id: 'u', email: 'u@x.test', name: 'u', password: 'password', session: 'ses', token: 'tok' };
  const recorded = fixtureFromLists({ repos, findings, prs }, [], user, one, undefined);
  t.is(E.isRight(recorded) && recorded.right.pullRequests.length, 40_000);
});

/** Pull requests refer to `fix_0`, but the list of findings does not have it. */
const unlisted = { ...few, findings: few.findings.slice(1) };

const neverStarted = { ...emptyScan, id: 'none', status: 'never' };

const noFixes = { openPrCount: 0, hasOpenFixPr: false, openFixDraftId: null, openAdvisoryCount: 0 };

/** Lists that a file does not reproduce, and the warnings that say so. */
const warned: readonly (readonly [
  what: string,
  recorded: Parameters<typeof recordingOf>,
  ...warnings: readonly string[],
])[] = [
  [
    'values that the server derives differently',
    [
      withFields({
        repos: { openFixDraftId: 'fix_2', openAdvisoryCount: 9, ownerInitial: 'AC' },
        prs: { package: 'other' },
      }),
    ],
    'repos "web": openAdvisoryCount is 9 on the server, but 1 when the file is served',
    'repos "web": openFixDraftId is "fix_2" on the server, but "fix_0" when the file is served',
    'repos "web": ownerInitial is "AC" on the server, but "A" when the file is served',
    ...['fix_0', 'fix_1', 'fix_2'].map(
      (id) => `prs "${id}": package is "other" on the server, but "lodash" when the file is served`,
    ),
  ],
  [
    'a pull request whose finding is neither listed nor found by its id',
    [unlisted],
    'repos "web": openPrCount is 3 on the server, but 2 when the file is served',
    'repos "web": openFixDraftId is "fix_0" on the server, but "fix_1" when the file is served',
    'prs "fix_0": left out, because the server does not show its finding',
  ],
  [
    'a pull request whose finding is not listed but found by its id',
    [serverThatSends(unlisted, '/api/v1/findings/fix_0', json({ ...few.findings[0], prCount: 1 }))],
    'findings "fix_0": added, because a pull request refers to it but the server does not list it',
  ],
  [
    'a repository that is not listed',
    [{ ...few, repos: [] }],
    'repos "web": added with placeholders, because findings refer to it but the server does not list it',
  ],
  [
    'a lastScan that never started',
    [withFields({ repos: { lastScan: neverStarted, lastScanAt: null, openFixDraftId: '' } })],
    `repos "web": lastScan is ${JSON.stringify(neverStarted)} on the server, but null when the file is served`,
    'repos "web": openFixDraftId is "" on the server, but "fix_0" when the file is served',
  ],
  [
    'fields that the contract does not define',
    [withFields({ repos: { internal: 'x' } })],
    'repos /*/internal: not recorded, because the contract does not define it',
  ],
  [
    'text that contains a short session by chance, which is kept',
    [few, { value: 'acme' }],
    'responses contain the value of --session; with fewer than 16 characters it may be there by chance, so it was kept',
  ],
];

for (const [what, recorded, ...expected] of warned) {
  test(`a recording warns about ${what}`, async (t) => {
    t.deepEqual((await recordingOf(...recorded)).warnings, expected);
  });
}

test('a different order is warned about once, at its beginning; of many rows with the same difference five are named', async (t) => {
  const prs = many.prs.map((pr) => ({ ...pr, advisoryId: 'x' }));
  const { warnings } = await recordingOf({ ...many, findings: many.findings.toReversed(), prs });
  t.is(warnings[0], 'findings: the order differs from "fix_249" on: the served file has "fix_0" there');
  t.is(warnings.length, 1 + 5 + 1);
  t.is(warnings.at(-1), 'prs: the same applies to 245 more rows');
});

test('a repository that is not listed gets its name from pull requests, and placeholders for the rest', async (t) => {
  const reposWith = async (over: Partial<TenantLists>) =>
    (await recordingOf({ ...few, repos: [], ...over })).dataset.repos;
  const unknown = 'not listed';
  const rest = { defaultBranch: unknown, isDemoRow: false, scanStatusBadge: unknown, status: unknown };
  t.deepEqual(await reposWith({}), [{ id: 'web', owner: 'acme', repo: 'web', ...rest }]);
  t.is((await reposWith({ prs: [] }))[0]?.owner, unknown);
});

test('two repositories that share a scan keep it under different ids', async (t) => {
  const repos = few.repos.flatMap((repo) => [repo, { ...repo, id: 'web2', ...noFixes }]);
  const { dataset, warnings } = await recordingOf({ ...few, repos });
  t.deepEqual(idsIn(dataset.scans), ['scan_1', 'scan_1 of web2']);
  t.is(warnings.length, 1);
  t.regex(warnings.join(), /^repos "web2": lastScan is \{"id":"scan_1"/);
});

const withoutDate = serverThatSends(few, '/api/v1/repos', { ...json(few.repos), headers: {} });

test('asOf is what is given, or the time of the server, or without a Date header that of this machine', async (t) => {
  const asOf = async (...recorded: Parameters<typeof recordingOf>) =>
    String((await recordingOf(...recorded)).dataset.asOf);
  t.is(await asOf(withoutDate), '2030-01-01T00:00:00.000Z');
  t.is(await asOf(few), String(timestampAt(at(now))));
  t.is(await asOf(withoutDate, { asOf: now }), String(timestampAt(at(now))));
});

test('a session that the server sends back is redacted in the file and the warnings', async (t) => {
  const encoded = encodeURIComponent(session);
  const repos = JSON.stringify(withFields({ repos: { scanStatusBadge: session } }).repos);
  const lists = withFields({
    findings: { ciStatus: `by ${session}`, package: encoded },
    prs: { package: encoded },
  });
  // A slash may be escaped in JSON.
  const text = repos.replaceAll('/', '\\/');
  const recorded = await recordingOf(serverThatSends(lists, '/api/v1/repos', { ...json(null), text }));
  t.false(
    [session, encoded].some((each) => recorded.text.includes(each)),
    recorded.text,
  );
  t.deepEqual(recorded.warnings, ['responses contained the session; it was replaced by [secret]']);
});

for (const [what, over] of [
  ['any tenant', {}],
  ['a tenant whose open pull requests were updated together', { prState: 'open', updatedAt: now }],
] as const)
  test(`the lists of ${what} are the same after recording and serving`, async (t) => {
    await fc.assert(
      fc.asyncProperty(arbitrary.tenant, async (data) => {
        const pullRequests = data.pullRequests.map((pullRequest) => ({ ...pullRequest, ...over }));
        const lists = listsOf(dataset(asFixture('any', { ...data, pullRequests })));
        const recording = await recordingOf(lists);
        t.deepEqual(recording.warnings, []);
        t.deepEqual(listsOf(recording.dataset), lists);
      }),
      runs(),
    );
  });

test('the session in the file is valid for a year, and is not the one that was used', async (t) => {
  const { dataset: data, text } = await recordingOf(few);
  t.is(String(data.sessions[0]?.expiresAt), '2027-11-20T12:00:00.000Z');
  t.false(text.includes(session));
});
