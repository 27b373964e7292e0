import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { protectSession } from '../../../src/contract-tools/record/read-lists.js';
import {
  failureOf,
  few,
  json,
  listsOf,
  recordFrom,
  recordingOf,
  serverThatSends,
  serverWith,
  session,
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
    t.deepEqual(failureOf(await recordFrom(serverThatSends(few, path, response))), [line]);
  });
}

test('of many problems in one response, 20 are listed and the others counted', async (t) => {
  const items = Array.from({ length: 30 }, () => ({ ...pr, branch: 7 }));
  const send = serverThatSends(few, '/api/v1/prs', json(pageOf(...items)));
  const lines = failureOf(await recordFrom(send));
  t.is(lines.length, 21);
  t.is(lines.at(-1), 'GET /api/v1/prs?page=1&limit=100 (cookie: session): and 10 more problems');
});

const long = 'f3a9c1d27b804e56';

test('a short session that ids, versions, timestamps and words contain changes none of them', async (t) => {
  for (const value of ['1', 'fix', 'web', 'open', 'high', 'Z', 'a']) {
    const { dataset, warnings } = recordingOf(
      await recordFrom(
        serverWith(() => few),
        { value },
      ),
    );
    t.deepEqual(listsOf(dataset), few, value);
    t.true(warnings.length <= 1, warnings.join('\n'));
  }
});

test('text that contains a short session by chance is kept with a warning', async (t) => {
  const { warnings } = recordingOf(
    await recordFrom(
      serverWith(() => few),
      { value: 'acme' },
    ),
  );
  t.deepEqual(warnings, [
    'responses contain the value of --session; with fewer than 16 characters it may be there by chance, so it was kept',
  ]);
});

test('a short session is replaced where it stands as a cookie', (t) => {
  const body = [{ id: 'session=demo', summary: 'curl -b session=demo; session=demolition' }];
  t.deepEqual(protectSession('demo', 'session')(body), {
    _tag: 'Right',
    right: {
      value: [{ id: 'session=demo', summary: 'curl -b session=[secret]; session=demolition' }],
      keptInText: true,
    },
  });
});

for (const [field, place] of [
  ['id', '/items/0/id'],
  ['advisoryId', '/items/0/advisoryId'],
] as const) {
  test(`a long session in the field ${field} ends the recording, and nothing is saved`, async (t) => {
    const lists = { ...few, findings: few.findings.map((row) => ({ ...row, [field]: `x-${long}` })) };
    const lines = failureOf(
      await recordFrom(
        serverWith(() => lists),
        { value: long },
      ),
    );
    t.deepEqual(lines, [
      `GET /api/v1/findings?page=1&limit=100 (cookie: session): ${place} is an id that contains the value of --session`,
      'ids are never changed, and the session is never written: log in again, and record with the new session',
    ]);
  });
}

test('whatever the session is, an accepted body keeps its ids, and a long session is nowhere in it', (t) => {
  const characters = fc.constantFrom('a', '1', '/');
  const session = fc.oneof(
    fc.string({ unit: characters, minLength: 1, maxLength: 15 }),
    fc.string({ unit: characters, minLength: 16, maxLength: 20 }),
  );
  const property = fc.property(
    session.chain((value) =>
      fc.tuple(
        fc.constant(value),
        fc.array(fc.constantFrom(value, encodeURIComponent(value), 'a', '1', ' '), { maxLength: 3 }),
        fc.array(fc.constantFrom(value, encodeURIComponent(value), 'session=', 'a'), { maxLength: 5 }),
      ),
    ),
    ([value, idParts, textParts]) => {
      const id = idParts.join('');
      const result = protectSession(value, 'session')([{ id, summary: textParts.join('') }]);
      const isInId = id.includes(value) || id.includes(encodeURIComponent(value));
      if (E.isLeft(result)) return value.length >= 16 && isInId;
      const written = JSON.stringify(result.right.value);
      return (
        written.startsWith(`[{"id":${JSON.stringify(id)},`) &&
        (value.length < 16 || !(isInId || written.includes(value)))
      );
    },
  );
  t.notThrows(() => fc.assert(property));
});
