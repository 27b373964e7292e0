import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { formatProblem, problemsOf } from '../contract/codecs/problem.js';
import type { Effect } from './effect.js';
import { type FaultRule, NewFaultRule, ruleProblems } from './fault-rule.js';
import { isList, operationWithId, simulatedStatuses } from './possible-faults.js';
import type { Random } from './random.js';

/** What a rule is judged by. */
export type FaultRequest = Readonly<{
  /** The id of an operation, the method and the path of a page, or `otherApiPath`. */
  operation: string;
  /** On whose behalf; null: unknown, or the credentials were not valid. */
  tenant: string | null;
  query: ReadonlyMap<string, readonly string[]>;
}>;

/** A path below `/api/` that is no operation. Only delays without any condition are about it. */
export const otherApiPath = 'other';

/** What rules do to a request, and which. */
export type AppliedRules = Effect & Readonly<{ rules: readonly string[] }>;

/** The rules that are in force. */
export type FaultRules = Readonly<{
  /** Adds a rule that a client has sent. `left`: one line for each problem. */
  add: (rule: unknown) => E.Either<readonly string[], FaultRule>;
  /** All rules, in the order in which they were added; those that have had their turn stay in the list. */
  list: () => readonly FaultRule[];
  /** False: there is no such rule. */
  remove: (id: string) => boolean;
  clear: () => void;
  /** Whether a rule may still apply to some request. */
  areActive: () => boolean;
  /** Whether a rule that may still apply to this operation or page names a tenant. */
  needTenant: (operation: string) => boolean;
  /**
   * Counts a request, and says what happens to it; null: nothing. Delays add up; of several codes and kinds,
   * those of the rule count that was added last.
   */
  apply: (request: FaultRequest) => AppliedRules | null;
}>;

type Entry = Readonly<{ id: string; rule: NewFaultRule }> & { matched: number; applied: number };

/** No rules. `random` decides where a rule has a probability or a jitter. */
export const faultRules = (random: Random): FaultRules => {
  let entries: readonly Entry[] = [];
  let added = 0;

  const isSpent = ({ rule, applied }: Entry): boolean => rule.times !== undefined && applied >= rule.times;
  let areActive = false;
  const keep = (next: readonly Entry[]): void => {
    entries = next;
    areActive = next.some((entry) => !isSpent(entry));
  };

  /** Counts a matching request; whether the rule affects it. */
  const takes = (entry: Entry): boolean => {
    entry.matched += 1;
    const { after = 0, probability = 1 } = entry.rule;
    if (entry.matched <= after || random() >= probability) return false;
    entry.applied += 1;
    return true;
  };

  return {
    add: (input) =>
      pipe(
        NewFaultRule.decode(input),
        E.mapLeft((errors) => problemsOf(errors).map(formatProblem)),
        E.flatMap((rule) => {
          const problems = ruleProblems(rule);
          if (problems.length > 0) return E.left(problems);
          added += 1;
          const entry: Entry = { id: `fault-${added}`, rule, matched: 0, applied: 0 };
          keep([...entries, entry]);
          return E.right(listed(entry));
        }),
      ),
    list: () => entries.map(listed),
    remove: (id) => {
      const others = entries.filter((entry) => entry.id !== id);
      if (others.length === entries.length) return false;
      keep(others);
      return true;
    },
    clear: () => keep([]),
    areActive: () => areActive,
    needTenant: (operation) =>
      entries.some(
        (entry) => !isSpent(entry) && entry.rule.tenant !== undefined && isAbout(entry.rule, operation),
      ),
    apply: (request) => {
      const taken: Entry[] = [];
      let [code, kind]: [Effect['code'], Effect['kind']] = [null, null];
      let delay = 0;
      for (const entry of entries.toReversed()) {
        const { rule } = entry;
        const hasOutcome = rule.code !== undefined || rule.kind !== undefined;
        const isDecided = code !== null || kind !== null;
        if (isSpent(entry) || (hasOutcome && isDecided) || !matches(rule, request) || !takes(entry)) continue;
        taken.push(entry);
        code ??= rule.code ?? null;
        kind ??= rule.kind ?? null;
        delay += (rule.delay ?? 0) + Math.round(random() * (rule.jitter ?? 0));
      }
      if (taken.length === 0) return null;
      keep(entries);
      return { code, delay, kind, rules: taken.map(({ id }) => id) };
    },
  };
};

const listed = ({ id, rule, matched, applied }: Entry): FaultRule => ({ id, ...rule, matched, applied });

/** Whether a rule is about an operation or a page. Pages are only touched by rules that name them. */
const isAbout = (rule: NewFaultRule, name: string): boolean => {
  if (rule.operation !== undefined) return rule.operation === name;
  if (name === otherApiPath) return rule.code === undefined && rule.kind === undefined;
  const operation = operationWithId(name);
  if (operation === undefined) return false;
  if (rule.code !== undefined && !simulatedStatuses(operation).includes(rule.code)) return false;
  return rule.kind !== 'empty' || isList(operation);
};

const matches = (rule: NewFaultRule, { operation, tenant, query }: FaultRequest): boolean =>
  isAbout(rule, operation) &&
  (rule.tenant === undefined || rule.tenant === tenant) &&
  Object.entries(rule.query ?? {}).every(([name, value]) => query.get(name)?.[0] === value);
