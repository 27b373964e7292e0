import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type { HttpResponse } from '../../../src/client/fetch-send.js';
import type { TenantLists } from '../../../src/verify/record/read-lists.js';
import { runs } from '../../_runs.js';
import {
  failureOf,
  few,
  json,
  listsOf,
  many,
  recordFrom,
  recordingOf,
  serverThatSends,
  serverWith,
  session,
  withFields,
  without,
} from './_recording.js';

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
    'status 401',
    sending('repos', json({ error: 'Unauthorized' }, 401)),
    `GET /api/v1/repos${loggedIn}: expected status 200, got 401 with "Unauthorized"`,
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
      const findings = few.findings.map((row) => ({ ...row, advisoryId, ciStatus }));
      const prs = few.prs.map((row) => ({ ...row, advisoryId }));
      const recorded = await recordFrom({ ...few, findings, prs }, { value });
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

for (const count of [2, 3, 5, 7, 8]) {
  test(`a row that is deleted after ${count} requests moves others to earlier pages: the list is read again`, async (t) => {
    const after = { ...many, findings: without(many.findings, 20), prs: without(many.prs, 20) };
    const { dataset, warnings, requests } = await recordingOf(serverWith(changing(count, many, after)));
    t.deepEqual(listsOf(dataset).findings, after.findings);
    t.deepEqual(listsOf(dataset).prs, after.prs);
    t.true(requests > 10);
    t.deepEqual(
      warnings.filter((warning) => !warning.includes('Count')),
      [],
    );
  });
}

test('a row that moves to the top without changing the total is noticed', async (t) => {
  // Every other row moves down by one, so page 2 begins with the last row of page 1.
  const after = { ...many, findings: [...many.findings.slice(-1), ...many.findings.slice(0, -1)] };
  const { dataset, warnings } = await recordingOf(serverWith(changing(2, many, after)));
  t.is(new Set(dataset.fixDrafts.map(({ id }) => id)).size, 250);
  // The recorded list begins with the row that moved, which the file does not reproduce.
  t.regex(
    warnings.join(),
    /^findings: the order differs from "fix_249" on: the served file has "fix_0" there/,
  );
});

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
