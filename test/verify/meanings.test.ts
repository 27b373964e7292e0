import test from 'ava';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { mistakes } from '../../src/verify/mistakes.js';
import type { Secrets } from '../../src/verify/test-credentials.js';
import { textReport } from '../../src/verify/text-report.js';
import { judge, worldServer } from './_judge.js';
import {
  answersIf,
  bodies,
  failures,
  items,
  mutated,
  queries,
  refusal,
  sessionOf,
  when,
} from './_mutation.js';
import { wrongServers } from './_wrong-servers.js';

const { send, real } = worldServer(test);

test('each mistake has an id of its own, a section, a sentence and a wrong server, and checks name no others', (t) => {
  const made = new Set<string>(wrongServers.map(([mistake]) => mistake));
  for (const { id, section, sentence } of mistakes) {
    t.regex(
      section,
      /^\d(?:\.\d)?(?: (?:rules?|note) \d(?: and \d)?)?(?:, \d(?:\.\d)?(?: (?:rule|note) \d)?)*$/,
      id,
    );
    t.regex(sentence, /^[A-Z`].*\.$/, id);
    t.true(made.has(id), id);
  }
  t.is(new Set(mistakes.map(({ id }) => id)).size, mistakes.length);
  for (const { id, mistake } of allChecks) t.true(mistake === null || made.has(mistake), id);
});

test('a token of another user than the session, and sessions of the same user, are said in one sentence', async (t) => {
  const found = async (over: Partial<Secrets>) => (await judge(send, over)).mistakes;
  const [ofToken, ...others] = await found({ token: 'acme-token' });
  t.deepEqual([ofToken?.id, others], ['foreign-token', []]);
  const [ofSession] = await found({ otherSession: 'boundary-session', otherToken: 'boundary-token' });
  t.is(ofSession?.id, 'foreign-rows');
  t.regex(`${ofToken?.sentence} ${ofSession?.sentence}`, /--token.*--other-session/);
});

test('a failed check that fits no known mistake is reported with a command that repeats its request', async (t) => {
  const gone = failures('prs', 200, { status: 410, text: '{"error":"Gone"}' });
  const report = await judge(mutated(real, gone));
  t.deepEqual(report.mistakes, []);
  t.deepEqual(textReport(report).slice(0, 4), [
    'To fix, the gravest first',
    '  prs: the body is a page with items (4.4 rule 1; prs.page)',
    `    curl -i -H "Cookie: session=$TRIAGE_SESSION" 'http://judged.test/api/v1/prs'`,
    '      expected 200 with a page, got 410',
  ]);
});

const notFound = refusal(404, 'finding not found');

/** A tenant with fewer rows than fit on a page, of which some findings have no pull request. */
const acme = { session: 'acme-session', token: 'acme-token' };

for (const [what, mutation, mistake, over = acme] of [
  [
    'a row that is missing from one page of closed, whatever its state, is not a matter of null',
    items(
      'prs',
      (_, query, page, index) => query.get('status') !== 'closed' || index + 1 < page.items.length,
    ),
    'closed-misses',
    {},
  ],
  [
    'a finding that is answered 404 whatever the credentials are is not a matter of tokens',
    answersIf('finding', (_, { text }) => (text.includes('"prCount":0') ? notFound : {})),
    'detail-missing',
  ],
  [
    'a server that says that it reduces a limit of 100 is told so, although all rows fit on its page',
    queries('prs', (query) => query.get('limit') === '100' && query.set('limit', '50')),
    'limit-cut-early',
  ],
  [
    'findings that a list hides from their owner are not those of another user who has the same ids',
    when(
      (incoming) => /boundary/.test(sessionOf(incoming)),
      items('findings', (_, __, ___, index) => index < 5),
    ),
    'page-rows',
    { otherSession: 'acme-session', otherToken: 'acme-token' },
  ],
  [
    'the order of repositories is judged although their timestamps have another form',
    bodies('repos', (body) =>
      JSON.parse(JSON.stringify([...Object(body)].reverse()).replaceAll(/(T[\d:]+\.\d{3})Z"/g, '$1+00:00"')),
    ),
    'repo-order',
    {},
  ],
] as const) {
  test(what, async (t) => {
    const { mistakes: found } = await judge(mutated(real, mutation), over);
    t.is(found[0]?.id, mistake);
  });
}
