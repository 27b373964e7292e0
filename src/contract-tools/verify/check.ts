import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import type { FetchContext, Need } from './need.js';
import type { UnmetPrerequisite } from './unmet-prerequisite.js';
import { type Case, type Verdict, verdictOf } from './verdict.js';

/** `must`: the contract requires it. `info`: the contract is silent, and the statement is our decision. */
export type CheckLevel = 'must' | 'info';

/** One statement about a server that can be checked from outside. */
export type Check = Readonly<{
  id: string;
  /** The section of the contract; at level `info` the one that is silent. */
  section: string;
  level: CheckLevel;
  statement: string;
  /** Why the contract says so, for a reader who may doubt it; null where its words leave no doubt. */
  reasoning: string | null;
  /** Whether it compares responses: a violation then counts only once fresh responses have confirmed it. */
  compares: boolean;
  /** Roughly the number of requests that it takes. */
  cost: number;
  run: (context: FetchContext) => TE.TaskEither<UnmetPrerequisite, Verdict>;
}>;

/**
 * A check as a row of data: what it needs, and a pure judge of each value that was fetched. `prerequisite`
 * says what the server has to have for the check to be exercised, if the judge finds nothing to examine.
 */
export const checkAt =
  (level: CheckLevel) =>
  <A>(
    id: string,
    section: string,
    statement: string,
    needs: Need<A>,
    judge: (value: A) => Case | readonly Case[],
    prerequisite = 'data to check',
  ): Check => ({
    id,
    section,
    level,
    statement,
    reasoning: null,
    compares: needs.compares,
    cost: needs.cost,
    run: (context) =>
      pipe(
        needs.fetch(context),
        TE.map((values) =>
          verdictOf(
            values.map(({ value, isPartial }) => ({ cases: [judge(value)].flat(), isPartial })),
            prerequisite,
          ),
        ),
      ),
  });

export const must = checkAt('must');
export const info = checkAt('info');

/** A check with the reasoning for a reader who doubts what it says. */
export const because = (reasoning: string, check: Check): Check => ({ ...check, reasoning });
