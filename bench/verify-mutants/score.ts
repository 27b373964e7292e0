import { groupBy } from '../../src/common/group-by.js';
import { describeMutation } from '../mutation/describe-mutation.js';
import { type KnownSurvivor, knownSurvivors } from './known-survivors.js';
import type { Mutant } from './mutants.js';
import type { Result } from './run-mutants.js';

/**
 * The results of a run. `caught`: a statement is broken. `refused`: exit code 2. `doubted`: too few statements
 * were exercised. `right`: mutants that pass and are listed, because they break nothing that the contract
 * says. `survived`: all others that pass.
 */
export type Score = Readonly<{
  caught: readonly Result[];
  refused: readonly Result[];
  doubted: readonly Result[];
  broken: readonly Result[];
  right: readonly Result[];
  survived: readonly Result[];
}>;

const keyOf = ({ within, mutation }: Mutant): string => `${within}: ${describeMutation(mutation)}`;

/** How often each change is listed: the same text can stand at several places of a declaration. */
const listed = groupBy(
  knownSurvivors.flatMap(({ within, changes }) => changes.map((change) => `${within}: ${change}`)),
  (key) => key,
);

const listedTimes = (mutant: Mutant): number => listed.get(keyOf(mutant))?.length ?? 0;

/** The entry that lists a mutant as right. */
export const knownSurvivor = ({ within, mutation }: Mutant): KnownSurvivor | undefined => {
  const change = describeMutation(mutation);
  return knownSurvivors.find((known) => known.within === within && known.changes.includes(change));
};

export const scoreOf = (results: readonly Result[]): Score => {
  const judged = (tag: Result['judgement']['_tag']): readonly Result[] =>
    results.filter(({ judgement }) => judgement._tag === tag);
  const passed = Array.from(groupBy(judged('Passed'), ({ mutant }) => keyOf(mutant)).values());
  const isRight = (group: readonly Result[]): boolean =>
    group.every(({ mutant }) => group.length <= listedTimes(mutant));
  return {
    caught: judged('Caught'),
    refused: judged('Refused'),
    doubted: judged('Doubted'),
    broken: judged('Broken'),
    right: passed.filter(isRight).flat(),
    survived: passed.filter((group) => !isRight(group)).flat(),
  };
};

/** Listed changes that no mutant survives any more, after all mutants were tried. */
export const staleEntries = (results: readonly Result[]): readonly string[] => {
  const passed = groupBy(
    results.filter(({ judgement }) => judgement._tag === 'Passed'),
    ({ mutant }) => keyOf(mutant),
  );
  return Array.from(listed)
    .filter(([key, entries]) => (passed.get(key)?.length ?? 0) < entries.length)
    .map(([key]) => key);
};
