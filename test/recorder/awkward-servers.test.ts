import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { Answers } from '../../src/recorder/answers.js';
import { at, now } from '../_data.js';
import {
  aJournal,
  answersOf,
  json,
  recorded,
  rowsWith,
  sendOver,
  session,
  theRecording,
  whyNot,
} from './_recorded.js';

/** More than two pages of each. */
const many = answersOf(rowsWith(250));
const few = answersOf(rowsWith(3));

const without = <A>(rows: readonly A[], index: number): readonly A[] => rows.filter((_, i) => i !== index);

/** Answers that change once so many requests have been sent. */
const changing = (count: number, before: Answers, after: Answers) => {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > count ? after : before;
  };
};

for (const count of [2, 3, 5, 7, 8]) {
  test(`a row that goes away after ${count} requests moves others to earlier pages: all is read again`, async (t) => {
    const after = { ...many, findings: without(many.findings, 20), prs: without(many.prs, 20) };
    const { dataset, warnings, requests } = theRecording(
      await recorded(sendOver(changing(count, many, after))),
    );
    t.deepEqual(answersOf(dataset).findings, after.findings);
    t.deepEqual(answersOf(dataset).prs, after.prs);
    t.true(requests > 10);
    t.deepEqual(
      warnings.filter((warning) => !warning.includes('Count')),
      [],
    );
  });
}

test('a row that comes while another goes, so that the total stays, is noticed, too', async (t) => {
  // The newest takes the place of the oldest: every row moves on by one, and page 2 begins with what page 1 ended with.
  const after = { ...many, findings: [...many.findings.slice(-1), ...many.findings.slice(0, -1)] };
  const { dataset, warnings } = theRecording(await recorded(sendOver(changing(2, many, after))));
  t.is(new Set(dataset.fixDrafts.map(({ id }) => id)).size, 250);
  // What was read at last begins with the one that moved; that serving orders it otherwise is told.
  t.regex(warnings.join(), /^findings: the server shows "fix_249" where serving the file will show "fix_0"/);
});

test('a row that moves deep down in a list, between two pages, is noticed by the one that is there twice', async (t) => {
  const [last] = many.findings.slice(-1);
  const rest = many.findings.slice(0, -1);
  const findings = last === undefined ? [] : [...rest.slice(0, 150), last, ...rest.slice(150)];
  const send = sendOver(changing(3, many, { ...many, findings }));
  const { dataset } = theRecording(await recorded(send));
  t.deepEqual(
    dataset.fixDrafts.map(({ id }) => id),
    findings.map(({ id }) => id),
  );
});

test('a list that never stands still is given up: what changed is told, and how often it was read', async (t) => {
  let count = 0;
  const send = sendOver(() => {
    count += 1;
    return { ...many, findings: many.findings.slice(0, 250 - count) };
  });
  const result = await recorded(send);
  const [line = ''] = whyNot(result);
  t.is(
    line.replace(/\d+ in all, page 1 counted \d+$/, '…'),
    'findings: expected a list that stays as it is while it is read, got 4 different readings: page 2 counts …',
  );
  t.true(E.isLeft(result) && !result.left.canGoOn);
});

test('a total that is wrong each time is told, and the rows are recorded', async (t) => {
  const send = sendOver(
    () => few,
    ({ pathname, searchParams }) => {
      const page = Number(searchParams.get('page'));
      const items = page === 1 ? few.prs : [];
      return pathname === '/api/v1/prs'
        ? json({ items, page, limit: 100, totalItems: 7, totalPages: 1 })
        : undefined;
    },
  );
  const { dataset, warnings } = theRecording(await recorded(send));
  t.is(dataset.pullRequests.length, 3);
  t.deepEqual(warnings, ['prs: 3 are on its pages, of 7 that it counts, each time that it is read']);
});

test('totals that differ from page to page each time are no list: nothing is cut off', async (t) => {
  const send = sendOver(
    () => many,
    ({ pathname, searchParams }) => {
      const page = Number(searchParams.get('page'));
      const items = many.prs.slice((page - 1) * 100, page * 100);
      return pathname === '/api/v1/prs'
        ? json({ items, page, limit: 100, totalItems: 250 + page, totalPages: 3 })
        : undefined;
    },
  );
  t.regex(whyNot(await recorded(send)).join(), /: page 2 counts 252 in all, page 1 counted 251$/);
});

test('503 in the middle: what was read is heard again, and only the rest is asked for', async (t) => {
  const journal = aJournal();
  const broken = sendOver(
    () => many,
    (_, count) => (count > 3 ? { _tag: 'Unreachable', reason: 'gone' } : undefined),
  );
  const result = await recorded(broken, { journal });
  t.deepEqual(whyNot(result), ['expected an answer, got none: gone']);
  t.true(E.isLeft(result) && result.left.canGoOn);
  t.is(journal.added.length, 3);

  const asked: string[] = [];
  const whole = sendOver(
    () => many,
    (target) => {
      asked.push(target.href.slice('http://recorded.test/api/v1'.length));
      return undefined;
    },
  );
  const { dataset, requests } = theRecording(await recorded(whole, { journal: aJournal(journal.added) }));
  t.deepEqual(answersOf(dataset), many);
  t.is(asked[0], '/findings?page=3&limit=100');
  t.is(requests, 10 - 3);
});

test('what changed since an earlier run was broken off is read again', async (t) => {
  const journal = aJournal();
  await recorded(
    sendOver(() => many),
    { journal, maxRequests: 6 },
  );
  t.is(journal.added.length, 6);
  const after = { ...many, findings: without(many.findings, 0), prs: without(many.prs, 0) };
  const { dataset } = theRecording(
    await recorded(
      sendOver(() => after),
      { journal: aJournal(journal.added) },
    ),
  );
  t.deepEqual(answersOf(dataset).findings, after.findings);
});

test('requests run out: it is told, and can be gone on from', async (t) => {
  const result = await recorded(
    sendOver(() => many),
    { maxRequests: 4 },
  );
  t.deepEqual(whyNot(result), [
    'expected to need no more than the 4 requests of --max-requests, got no end by then',
  ]);
  t.true(E.isLeft(result) && result.left.canGoOn);
});

test('a journal of another way is refused', async (t) => {
  const before = [{ request: 'GET /elsewhere', status: 200, date: null, body: [] }];
  t.deepEqual(
    whyNot(
      await recorded(
        sendOver(() => few),
        { journal: aJournal(before) },
      ),
    ),
    [
      'what was read before: expected the answer to GET /api/v1/repos (cookie: session), got that to GET /elsewhere',
    ],
  );
});

const [firstFinding] = few.findings;
const [firstRepo] = few.repos;
const [firstPr] = few.prs;

const wrongAnswers = [
  {
    what: 'a word that is none of the contract',
    at: '/api/v1/findings',
    body: {
      items: [firstFinding, { ...firstFinding, severity: 'moderate' }],
      page: 1,
      limit: 100,
      totalItems: 2,
      totalPages: 1,
    },
    told: '/items/1/severity: expected one of critical, high, medium, low, got "moderate"',
    on: 'GET /api/v1/findings?page=1&limit=100 (cookie: session)',
  },
  {
    what: 'an object in place of the array',
    at: '/api/v1/repos',
    body: {},
    told: 'expected array of Repo, got an object',
    on: 'GET /api/v1/repos (cookie: session)',
  },
  {
    what: 'credentials that are not taken',
    at: '/api/v1/repos',
    body: { error: 'Unauthorized' },
    status: 401,
    told: 'expected 200, got 401 with "Unauthorized"',
    on: 'GET /api/v1/repos (cookie: session)',
  },
];
for (const { what, at: place, body, told, on, status } of wrongAnswers) {
  test(`${what}: the request, the place, what was expected and what was found`, async (t) => {
    const send = sendOver(
      () => few,
      ({ pathname }) => (pathname === place ? json(body, status) : undefined),
    );
    t.deepEqual(whyNot(await recorded(send)), [`${on}: ${told}`]);
  });
}

test('what is no JSON is told, and not quoted; many problems are counted', async (t) => {
  const page = (text: string) =>
    recorded(
      sendOver(
        () => few,
        ({ pathname }) => (pathname === '/api/v1/prs' ? { ...json(null), text } : undefined),
      ),
    );
  const on = 'GET /api/v1/prs?page=1&limit=100 (cookie: session)';
  t.deepEqual(whyNot(await page(`<p>${session}</p>`)), [`${on}: expected JSON, got something else`]);
  const items = Array.from({ length: 30 }, () => ({ ...firstPr, branch: 7 }));
  const lines = whyNot(
    await page(JSON.stringify({ items, page: 1, limit: 100, totalItems: 30, totalPages: 1 })),
  );
  t.is(lines.length, 21);
  t.is(lines.at(-1), `${on}: and 10 more problems`);
});

test('a pull request whose finding is not listed: found by its id, else left out with a word', async (t) => {
  const said = { ...few, findings: few.findings.slice(1), prs: few.prs };
  const unknown = theRecording(await recorded(sendOver(() => said)));
  t.is(unknown.dataset.pullRequests.length, 2);
  t.true(
    unknown.warnings.includes('prs "fix_0": left out: no finding of this id is listed, or found by its id'),
  );
  const found = theRecording(
    await recorded(
      sendOver(
        () => said,
        ({ pathname }) =>
          pathname === '/api/v1/findings/fix_0' ? json({ ...firstFinding, prCount: 1 }) : undefined,
      ),
    ),
  );
  t.is(found.dataset.pullRequests.length, 3);
  t.deepEqual(found.warnings, [
    'findings "fix_0": added: the server does not list it, and has it for a pull request that names it',
  ]);
});

test('a finding whose repository is not listed: made up of what pull requests show, marked', async (t) => {
  const { dataset, warnings } = theRecording(await recorded(sendOver(() => ({ ...few, repos: [] }))));
  t.deepEqual(dataset.repos, [
    {
      id: 'web',
      owner: 'acme',
      repo: 'web',
      defaultBranch: 'not listed',
      isDemoRow: false,
      scanStatusBadge: 'not listed',
      status: 'not listed',
    },
  ]);
  t.deepEqual(warnings, ['repos "web": made up: the server does not list it, and findings name it']);
  const alone = theRecording(await recorded(sendOver(() => ({ ...few, repos: [], prs: [] }))));
  t.is(alone.dataset.repos[0]?.owner, 'not listed');
});

test('what the server derives otherwise is told by row and field', async (t) => {
  const said = {
    ...few,
    repos: few.repos.map((repo) => ({
      ...repo,
      openFixDraftId: 'fix_2',
      openAdvisoryCount: 9,
      ownerInitial: 'AC',
    })),
    prs: few.prs.map((pr) => ({ ...pr, package: 'other' })),
  };
  const { warnings } = theRecording(await recorded(sendOver(() => said)));
  t.deepEqual(warnings, [
    'repos "web": openAdvisoryCount: the server says 9, serving the file will say 1',
    'repos "web": openFixDraftId: the server says "fix_2", serving the file will say "fix_0"',
    'repos "web": ownerInitial: the server says "AC", serving the file will say "A"',
    ...['fix_0', 'fix_1', 'fix_2'].map(
      (id) => `prs "${id}": package: the server says "other", serving the file will say "lodash"`,
    ),
  ]);
});

test('another order is told once, with where it begins; many rows are counted', async (t) => {
  const said = {
    ...many,
    findings: [...many.findings].reverse(),
    prs: many.prs.map((pr) => ({ ...pr, advisoryId: 'x' })),
  };
  const { warnings } = theRecording(await recorded(sendOver(() => said)));
  t.is(
    warnings[0],
    'findings: the server shows "fix_249" where serving the file will show "fix_0": it orders otherwise from there on',
  );
  t.is(warnings.length, 1 + 5 + 1);
  t.is(warnings.at(-1), 'prs: and 245 more rows likewise');
});

test('two repositories that share a scan each keep it', async (t) => {
  const said = {
    ...few,
    repos: few.repos.flatMap((repo) => [
      repo,
      {
        ...repo,
        id: 'web2',
        openPrCount: 0,
        hasOpenFixPr: false,
        openFixDraftId: null,
        openAdvisoryCount: 0,
      },
    ]),
  };
  const { dataset, warnings } = theRecording(await recorded(sendOver(() => said)));
  t.deepEqual(
    dataset.scans.map(({ id }) => id),
    ['scan_1', 'scan_1 of web2'],
  );
  t.is(warnings.length, 1);
  t.regex(warnings.join(), /^repos "web2": lastScan: the server says \{"id":"scan_1"/);
});

test('what no fixture file can hold is refused, with its place, and not gone on from', async (t) => {
  const twice = { ...few, repos: [...few.repos, ...few.repos] };
  const result = await recorded(sendOver(() => twice));
  t.is(whyNot(result)[0], '/repos/1/id: duplicate id "web"; /repos/0/id has it already');
  t.true(E.isLeft(result) && !result.left.canGoOn);
  const nul = { ...few, findings: few.findings.map((finding) => ({ ...finding, package: 'a\u0000b' })) };
  t.regex(
    whyNot(await recorded(sendOver(() => nul)))[0] ?? '',
    /^\/fixDrafts\/0\/package: expected text without U\+0000/,
  );
});

test('a server that sends the session back does not get it into the file, the journal or a message', async (t) => {
  const journal = aJournal();
  const said = {
    ...few,
    findings: few.findings.map((finding) => ({
      ...finding,
      ciStatus: `by ${session}`,
      package: encodeURIComponent(session),
    })),
    prs: few.prs.map((pr) => ({ ...pr, package: encodeURIComponent(session) })),
  };
  const { text, warnings } = theRecording(
    await recorded(
      sendOver(() => said),
      { journal },
    ),
  );
  for (const written of [text, JSON.stringify(journal.added), warnings.join()]) {
    t.false(written.includes(session) || written.includes(encodeURIComponent(session)), written);
  }
  t.deepEqual(warnings, ['[secret] stands where answers held the session']);
  // A slash may be escaped in JSON.
  const escaped = sendOver(
    () => few,
    ({ pathname }) =>
      pathname === '/api/v1/repos'
        ? { ...json(null), text: JSON.stringify([{ ...firstRepo, owner: session }]).replaceAll('/', '\\/') }
        : undefined,
  );
  t.false(theRecording(await recorded(escaped)).text.includes(session));
});

test('fields that the contract does not know are not kept', async (t) => {
  const journal = aJournal();
  const said = { ...few, repos: few.repos.map((repo) => ({ ...repo, internal: 'x' })) };
  const { text } = theRecording(
    await recorded(
      sendOver(() => said),
      { journal },
    ),
  );
  t.false(`${text}${JSON.stringify(journal.added)}`.includes('internal'));
});

test('a server that does not tell its time: that of this machine; a moment that is chosen beats both', async (t) => {
  const timeless = sendOver(
    () => few,
    ({ pathname }) => (pathname === '/api/v1/repos' ? { ...json(few.repos), headers: {} } : undefined),
  );
  t.is(String(theRecording(await recorded(timeless)).dataset.asOf), '2030-01-01T00:00:00.000Z');
  t.is(
    String(theRecording(await recorded(timeless, { asOf: now })).dataset.asOf),
    new Date(at(now)).toISOString(),
  );
});
