import * as E from '#fp-ts/Either';
import type { InvalidParameters } from '../../api/failures.js';
import { describe, mismatch } from '../../contract/codecs/problem.js';
import { millisecondsOf, type Timestamp } from '../../contract/codecs/timestamp.js';
import { prStatusOf } from '../../contract/enums.js';
import type { Finding } from '../../contract/finding.js';
import type { Pr } from '../../contract/pr.js';
import type { Repo } from '../../contract/repo.js';

/** The parameter by which the explorer, not the API, narrows a list: all of its pages. */
export const ownParameter = 'rows';

/** What rows may be narrowed to, by names. */
export type Conditions<Row> = Readonly<Record<string, (row: Row) => boolean>>;

/** Those of findings; `withOpenPr`: the ids of those that have an open pull request. */
export const findingConditions = (withOpenPr: ReadonlySet<string>) =>
  ({
    all: () => true,
    unresolved: ({ status }) => status !== 'resolved',
    'open-pr': ({ id }) => withOpenPr.has(id),
  }) satisfies Conditions<Finding>;

export const prConditions = {
  all: () => true,
  other: ({ prState }) => prStatusOf(prState) === null,
} satisfies Conditions<Pr>;

/** `failed`: scan statuses are free-form, but an error is a failure, too. */
export const repoConditions = {
  failed: ({ lastScan }) => lastScan !== null && (lastScan.error !== null || lastScan.status === 'failed'),
} satisfies Conditions<Repo>;

export const week = 7 * 86_400_000;

/** The row has to meet all conditions in a text: names, or a day that begins the week of the row. */
export const conditionIn = <Row>(
  text: string,
  known: Conditions<Row>,
  momentOf: (row: Row) => Timestamp | null,
): E.Either<InvalidParameters, (row: Row) => boolean> => {
  const byName = new Map(Object.entries(known));
  const inWeek = (day: string) => {
    const begin = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
    return Number.isNaN(begin)
      ? undefined
      : (row: Row): boolean => {
          const at = momentOf(row);
          return at !== null && millisecondsOf(at) >= begin && millisecondsOf(at) < begin + week;
        };
  };
  const conditions: ((row: Row) => boolean)[] = [];
  for (const name of new Set(text.split(','))) {
    const condition = byName.get(name) ?? inWeek(name);
    if (condition === undefined) {
      const expected = `${[...byName.keys()].join(', ')} or the first day of a week`;
      const problems = [mismatch([ownParameter], expected, describe(name))];
      return E.left({ _tag: 'InvalidParameters', problems });
    }
    conditions.push(condition);
  }
  return E.right((row) => conditions.every((condition) => condition(row)));
};
