import test from 'ava';
import type { TenantLists } from '../../../src/contract-tools/record/read-lists.js';
import {
  failureOf,
  few,
  json,
  listsOf,
  many,
  recordFrom,
  recordingOf,
  serverWith,
  without,
} from './_recording.js';

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
    const { dataset, warnings, requests } = recordingOf(
      await recordFrom(serverWith(changing(count, many, after))),
    );
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
  const { dataset, warnings } = recordingOf(await recordFrom(serverWith(changing(2, many, after))));
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
  const { dataset } = recordingOf(await recordFrom(send));
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
  const lines = failureOf(await recordFrom(send));
  t.is(
    lines[0]?.replaceAll(/is \d+ on page 1 and \d+ on/g, 'is M on page 1 and N on'),
    'findings: the list changed during each of 4 reads: totalItems is M on page 1 and N on page 2',
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
  const { dataset, warnings } = recordingOf(await recordFrom(send));
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
  const lines = failureOf(await recordFrom(send));
  t.regex(lines.join(), /: totalItems is 251 on page 1 and 252 on page 2$/);
});
