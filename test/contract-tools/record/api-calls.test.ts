import test from 'ava';
import { failureOf, few, json, recordFrom, serverThatSends, session } from './_recording.js';

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
