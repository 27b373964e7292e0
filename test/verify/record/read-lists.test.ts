import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
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

const invalidResponses = [
  {
    what: 'a value outside the enum',
    path: '/api/v1/findings',
    response: json(pageOf(finding, { ...finding, severity: 'moderate' })),
    line: 'GET /api/v1/findings?page=1&limit=100 (cookie: session): /items/1/severity: expected one of critical, high, medium, low, got "moderate"',
  },
  {
    what: 'an object in place of an array',
    path: '/api/v1/repos',
    response: json({}),
    line: 'GET /api/v1/repos (cookie: session): expected array of Repo, got an object',
  },
  {
    what: 'status 401',
    path: '/api/v1/repos',
    response: json({ error: 'Unauthorized' }, 401),
    line: 'GET /api/v1/repos (cookie: session): expected status 200, got 401 with "Unauthorized"',
  },
  {
    what: 'a body that is not JSON, which is not quoted',
    path: '/api/v1/prs',
    response: { ...json(null), text: `<p>${session}</p>` },
    line: 'GET /api/v1/prs?page=1&limit=100 (cookie: session): the body is not JSON',
  },
];
for (const { what, path, response, line } of invalidResponses) {
  test(`the message about ${what} names the request, the place and the problem`, async (t) => {
    t.deepEqual(await failureOf(serverThatSends(few, path, response)), [line]);
  });
}

test('the same problem of many rows is one line, and of many kinds 20 are listed and the others counted', async (t) => {
  const rows = Array.from({ length: 30 }, () => ({ ...pr, branch: 7 }));
  const lines = await failureOf(serverThatSends(few, '/api/v1/prs', json(pageOf(...rows))));
  t.deepEqual(lines, [
    'GET /api/v1/prs?page=1&limit=100 (cookie: session): /items/0/branch: expected string, got 7, and 29 more like it',
  ]);
  const send = serverThatSends(few, '/api/v1/repos', json([{}, { lastScan: {} }]));
  const kinds = await failureOf(send);
  t.is(kinds.length, 21);
  t.regex(kinds.at(-1) ?? '', /: and \d+ more kinds of problems$/);
});

const long = 'f3a9c1d27b804e56';

test('a short session that ids, versions, timestamps and words contain changes none of them', async (t) => {
  for (const value of ['1', 'fix', 'web', 'open', 'high', 'Z', 'a']) {
    const { dataset, warnings } = await recordingOf(few, { value });
    t.deepEqual(listsOf(dataset), few, value);
    t.true(warnings.length <= 1, warnings.join('\n'));
  }
});

test('text that contains a short session by chance is kept with a warning', async (t) => {
  const { warnings } = await recordingOf(few, { value: 'acme' });
  t.deepEqual(warnings, [
    'responses contain the value of --session; with fewer than 16 characters it may be there by chance, so it was kept',
  ]);
});

for (const [field, place] of [
  ['id', '/items/0/id'],
  ['advisoryId', '/items/0/advisoryId'],
] as const) {
  test(`a long session in the field ${field} ends the recording, and nothing is saved`, async (t) => {
    const lists = { ...few, findings: few.findings.map((row) => ({ ...row, [field]: `x-${long}` })) };
    const lines = await failureOf(lists, { value: long });
    t.deepEqual(lines, [
      `GET /api/v1/findings?page=1&limit=100 (cookie: session): ${place} is an id that contains the value of --session`,
      'ids are never changed, and the session is never written: log in again, and record with the new session',
    ]);
  });
}

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

test('a row that moves from the last page to an earlier one is noticed because another is on two pages', async (t) => {
  const [last] = many.findings.slice(-1);
  const rest = many.findings.slice(0, -1);
  const findings = last === undefined ? [] : [...rest.slice(0, 150), last, ...rest.slice(150)];
  const send = serverWith(changing(3, many, { ...many, findings }));
  const { dataset } = await recordingOf(send);
  t.deepEqual(
    dataset.fixDrafts.map(({ id }) => id),
    findings.map(({ id }) => id),
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

test('a total that is wrong on every read is a warning, and the rows are recorded', async (t) => {
  const send = serverWith(
    () => few,
    ({ pathname, searchParams }) => {
      const page = Number(searchParams.get('page'));
      const items = page === 1 ? few.prs : [];
      return pathname === '/api/v1/prs'
        ? json({ items, page, limit: 100, totalItems: 7, totalPages: 1 })
        : undefined;
    },
  );
  const { dataset, warnings } = await recordingOf(send);
  t.is(dataset.pullRequests.length, 3);
  t.deepEqual(warnings, ['prs: its pages hold 3 rows, but totalItems is 7 (on every read)']);
});

test('a list whose total differs from page to page on every read is not recorded, rather than cut off', async (t) => {
  const send = serverWith(
    () => many,
    ({ pathname, searchParams }) => {
      const page = Number(searchParams.get('page'));
      const items = many.prs.slice((page - 1) * 100, page * 100);
      return pathname === '/api/v1/prs'
        ? json({ items, page, limit: 100, totalItems: 250 + page, totalPages: 3 })
        : undefined;
    },
  );
  const lines = await failureOf(send);
  t.regex(lines.join(), /: totalItems is 251 on page 1 and 252 on page 2$/);
});
