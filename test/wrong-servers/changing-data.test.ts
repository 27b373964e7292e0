import test, { type ExecutionContext } from 'ava';
import { seededRandom } from '../../src/common/seeded-random.js';
import type { Dataset } from '../../src/fixtures/dataset.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { junitReport } from '../../src/verify/junit-report.js';
import { isConforming } from '../../src/verify/report.js';
import { textReport } from '../../src/verify/text-report.js';
import { serve, type TestLife } from '../_server.js';
import { aFixtureStorage } from '../_storage.js';
import { failedChecks, idsOf, judge, sendTo, world } from '../verify/_judge.js';
import {
  envelopes,
  failures,
  field,
  type Mutation,
  mutated,
  type Real,
  remembering,
  says,
} from '../verify/_mutation.js';

/** One finding is gone with each version, and CI and the states of all pull requests go on. */
const evolving = (version: number): readonly Dataset[] =>
  world.map((tenant) => {
    const fixDrafts = tenant.fixDrafts
      .filter((_, index) => index % 97 !== version % 97)
      .map((draft) => ({ ...draft, ciStatus: `run ${version}` }));
    const ids = new Set(fixDrafts.map(({ id }) => id));
    const states = tenant.pullRequests.map(({ prState }) => prState);
    const pullRequests = tenant.pullRequests
      .map((pr, index) => ({ ...pr, prState: states[(index + version) % states.length] ?? null }))
      .filter(({ draftId }) => ids.has(draftId));
    return { ...tenant, fixDrafts, pullRequests };
  });

/** A right server whose data has a new version with every so many requests. */
const changingServer = async (life: TestLife, every: number): Promise<Real> => {
  const { storage, replace } = aFixtureStorage(evolving(0));
  const { url } = await serve(life, [], { storage });
  let requests = 0;
  return async (request) => {
    requests += 1;
    if (requests % every === 0) replace(evolving(requests / every));
    return remembering(sendTo(url))(request);
  };
};

/** The same with two versions, of which each request gets the one that is chosen by its number. */
const serverOfTwo = async (life: TestLife, choose: (request: number) => number): Promise<Real> => {
  const version = async (number: number) => remembering(sendTo((await serve(life, evolving(number))).url));
  const [first, second] = [await version(0), await version(1)];
  let requests = 0;
  return (request) => {
    requests += 1;
    return (choose(requests) === 0 ? first : second)(request);
  };
};

const right: Mutation = (incoming, real) => real(incoming.request);

const failsNothing = async (t: ExecutionContext, server: Real, concurrency: number): Promise<void> => {
  const report = await judge(mutated(server, right), {}, { concurrency, maxRequests: 1000 });
  t.deepEqual(idsOf(report, 'failed'), [], textReport(report).join('\n'));
  t.is(report.stopped, null);
};

for (const every of [1, 3, 8, 40])
  test(`a right server whose data is new with every ${every} requests fails nothing`, async (t) =>
    failsNothing(t, await changingServer(t, every), every % 2 === 0 ? 4 : 1));

for (const every of [1, 2, 5])
  test(`a right server whose data is another one of two with every ${every} requests fails nothing`, async (t) => {
    const server = await serverOfTwo(t, (request) => Math.floor(request / every) % 2);
    await failsNothing(t, server, every % 2 === 0 ? 4 : 1);
  });

for (const seed of [1, 2, 3])
  test(`a right server whose data is one of two at random, by the seed ${seed}, fails nothing`, async (t) => {
    const next = seededRandom(seed);
    await failsNothing(t, await serverOfTwo(t, () => Math.floor(next() * 2)), seed);
  });

test('a mistake that a single response shows is a failure however often the data changes', async (t) => {
  const server = await changingServer(t, 3);
  const unauthorized = failures('all', 401, says('unauthorized'));
  const unknownWord = field('findings', 'severity', () => 'none');
  const checks = allChecks.filter(({ id }) => /^credentials\.listPrs|^findings\.|^finding\./.test(id));
  const failed = async (mutation: Mutation) => failedChecks(checks, mutated(server, mutation));
  t.true((await failed(unauthorized)).includes('credentials.listPrs.none'));
  t.true((await failed(unknownWord)).includes('findings.words'));
});

test('comparisons that fail whenever the data is quiet are failures, although it changes now and then', async (t) => {
  const server = await changingServer(t, 60);
  const wrong = envelopes('prs', ({ totalItems }) => ({ totalItems: totalItems + 1 }));
  const checks = allChecks.filter(({ id }) => /^prs\.(?:paging|repo-id|status)/.test(id));
  const failed = await failedChecks(checks, mutated(server, wrong));
  t.true(failed.includes('prs.paging.total'), failed.join(' '));
});

test('comparisons that disagree because data changes all the time are reported as such in all reports', async (t) => {
  const server = await changingServer(t, 1);
  const report = await judge(mutated(server, right));
  const undecided = idsOf(report, 'changing data');
  t.true(undecided.includes('finding.as-listed'), undecided.join(' '));
  t.is(report.must.changingData + report.info.changingData, undecided.length);
  t.false(isConforming(report));
  const text = textReport(report).join('\n');
  t.regex(text, /^Changing data: responses disagree, but never stayed the same long enough to tell$/m);
  t.regex(text, /^must: \d+ passed, 0 failed, \d+ with changing data, \d+ not exercised$/m);
  t.regex(text, /\d+ have data that changes all the time/);
  t.regex(
    junitReport(report),
    /<skipped message="changing data: responses disagree, but never stay the same">/,
  );
});
