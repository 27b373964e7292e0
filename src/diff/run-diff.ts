import * as E from 'fp-ts/lib/Either.js';
import { type ApiRequest, describeRequest, getRequest, type RequestAuth } from '../client/api-request.js';
import { pathOf } from '../client/operation-requests.js';
import { operations } from '../contract/operations.js';
import type { Exchange } from '../verify/caching-client.js';
import { isRow, stringField } from '../verify/json-rows.js';
import { asPage } from '../verify/needs.js';
import { describePrerequisite } from '../verify/unmet-prerequisite.js';
import { compareAnswers } from './compare-answers.js';
import type { Difference } from './difference.js';
import { findingProbes, type Probe, probes, repoProbes } from './requests.js';
import type { Side, Sides } from './side.js';

/** What two servers differ in; `stopped`: why they could not be asked to the end. */
export type DiffRun = Readonly<{
  /** How many requests both have answered. */
  compared: number;
  differences: readonly Difference[];
  stopped: string | null;
}>;

/** How many findings, and how many repositories, are asked about one by one. */
const mostIds = 3;

type Pair = readonly [left: ApiRequest, right: ApiRequest];

/**
 * Sends both servers the same requests, and compares what they answer. Ids are those that both have; where they share none, each
 * is asked about its own.
 */
export const runDiff = async (
  sides: Sides,
  values: boolean,
  tell: (done: number, of: number, request: string) => void,
): Promise<DiffRun> => {
  const differences: Difference[] = [];
  let compared = 0;
  const compare = async (pairs: readonly Pair[]): Promise<string | null> => {
    for (const [index, [leftAsk, rightAsk]] of pairs.entries()) {
      tell(index, pairs.length, describeRequest(leftAsk));
      const left = await sides.left.client.send(leftAsk)();
      if (E.isLeft(left)) return `left: ${describePrerequisite(left.left)}`;
      const right = await sides.right.client.send(rightAsk)();
      if (E.isLeft(right)) return `right: ${describePrerequisite(right.left)}`;
      compared += 1;
      differences.push(...compareAnswers(left.right, right.right, values));
    }
    return null;
  };
  const stopped = (await compare(pairsOf(probes, sides))) ?? (await compare(discovered(sides)));
  return { compared, differences, stopped };
};

/** A request for each side, where both have what it takes. */
const pairsOf = (all: readonly Probe[], { left, right }: Sides): readonly Pair[] =>
  all.flatMap((probe): readonly Pair[] => {
    const [leftAsk, rightAsk] = [probe(left), probe(right)];
    return leftAsk === null || rightAsk === null ? [] : [[leftAsk, rightAsk]];
  });

/** What to ask about ids that have been seen. */
const discovered = ({ left, right }: Sides): readonly Pair[] =>
  [
    { idsOf: findingIds, probesOf: findingProbes },
    { idsOf: repoIds, probesOf: repoProbes },
  ].flatMap(({ idsOf, probesOf }) => {
    const [ours, theirs] = [idsOf(left), idsOf(right)];
    const shared = ours.filter((id) => theirs.includes(id)).slice(0, mostIds);
    if (shared.length > 0) return shared.flatMap((id) => pairsOf(probesOf(id), { left, right }));
    const [leftId, rightId] = [ours[0], theirs[0]];
    if (leftId === undefined || rightId === undefined) return [];
    const rightProbes = probesOf(rightId);
    return probesOf(leftId).flatMap((probe, index): readonly Pair[] => {
      const [leftAsk, rightAsk] = [probe(left), rightProbes[index]?.(right) ?? null];
      return leftAsk === null || rightAsk === null ? [] : [[leftAsk, rightAsk]];
    });
  });

const bySessionOf = ({ session }: Side): RequestAuth => ({ session, bearer: null });

/** What one side has answered already. */
const seen = (side: Side, path: string): Exchange | undefined => {
  const wanted = describeRequest(getRequest(path, [], bySessionOf(side)));
  return side.client.exchanges().find(({ request }) => describeRequest(request) === wanted);
};

const idsIn = (values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) => (isRow(value) ? (stringField(value, 'id') ?? []) : [])).filter((id) => id !== '');

const findingIds = (side: Side): readonly string[] => {
  const exchange = seen(side, pathOf.findings);
  const page = exchange === undefined ? null : asPage(exchange);
  return page === null ? [] : idsIn(page.items.map(({ value }) => value));
};

const repoIds = (side: Side): readonly string[] => {
  const body = seen(side, operations.listConnectedRepos.path)?.body;
  return Array.isArray(body) ? idsIn(body) : [];
};
