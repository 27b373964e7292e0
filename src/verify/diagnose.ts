import type { Violation } from './check.js';
import { type Mistake, mistakes } from './mistakes.js';
import type { CheckResult } from './report.js';
import { signatures } from './signatures.js';

/**
 * What checks fail with a mistake, as recorded from wrong servers. Symptoms are relative to the place that
 * is wrong: `~` in the id of a check stands for it. `cores` are the smallest sets that failed together, each
 * separated by `|`; `others` failed with some of the servers, too, and begin with their place if it is
 * another one.
 */
export type Signature = Readonly<{ places: string; cores: string; others: string }>;

/** A failed check at a place, and how it failed. */
export type Symptom = Readonly<{ place: string; text: string }>;

const placeNames: Readonly<Record<string, string>> = {
  listConnectedRepos: 'repos',
  listFindings: 'findings',
  getFinding: 'finding',
  listPrs: 'prs',
};
const placeInId =
  /(^|\.)(repos|findings|finding|prs|listConnectedRepos|listFindings|getFinding|listPrs)(?=[.-]|$)/;

/** The resource that a check is about, empty if it is about all, and its id with `~` in the place of that. */
const placeOf = (id: string): Symptom => {
  const [, before = '', name] = placeInId.exec(id) ?? [];
  return name === undefined
    ? { place: '', text: id }
    : { place: placeNames[name] ?? name, text: id.replace(placeInId, `${before}~`) };
};

/** How a violation shows: by a wrong status or body, by too many or too few items, or by a value. */
const mannerOf = ({ path, expected, got }: Violation): string => {
  if (path.length === 0) {
    if (typeof got !== 'number') return '=body';
    if (got < 300 || got === 404) return got < 300 ? '=accepted' : '=missing';
    return got < 500 ? '=refused' : '=failed';
  }
  if (path.at(-1) !== 'items' || typeof got !== 'number') return '';
  return got > Number.parseInt(expected, 10) ? '=more' : '=fewer';
};

/** The symptoms of a failed check. */
export const symptomsOf = ({ check, verdict }: CheckResult): readonly Symptom[] => {
  if (check.level !== 'must' || verdict._tag !== 'Violated') return [];
  const { place, text } = placeOf(check.id);
  return [...new Set(verdict.violations.map(mannerOf))].map((manner) => ({
    place,
    text: `${text}${manner}`,
  }));
};

const keyOf = ({ place, text }: Symptom): string => `${place} ${text}`;

/** A recorded symptom, as one of a server that is wrong at a place. */
const keyAt = (place: string, recorded: string): string => {
  const [text = '', other] = recorded.split('@');
  return keyOf({ text, place: other ?? (text.includes('~') ? place : '') });
};

/** How likely a symptom shows: without a mistake that explains it, with a core, and otherwise. */
const [unexplained, ofCore, ofOthers, withoutCore] = [0.0001, 0.95, 0.7, 0.07];
/** What every further explanation costs, and one by a mistake that has been found elsewhere. */
const [newMistake, sameMistake] = [4, 1];

/** A mistake at one place: how likely it shows in each symptom, and what speaks against it. */
type Explanation = Readonly<{ mistake: Mistake; likely: ReadonlyMap<string, number>; cost: number }>;

const explanationsIn = (
  found: ReadonlySet<string>,
  isOpen: (key: string) => boolean,
): readonly Explanation[] =>
  mistakes.flatMap((mistake) => {
    const signature = signatures[mistake.id];
    if (signature === undefined) return [];
    return signature.places.split(' ').flatMap((place) => {
      const at = (list: string) => list.split(' ').map((each) => keyAt(place, each));
      const cores = signature.cores.split(' | ').map(at);
      const all = [...cores.flat(), ...(signature.others === '' ? [] : at(signature.others))];
      return cores.flatMap((core): readonly Explanation[] => {
        const shown = core.filter((key) => found.has(key));
        const missing = core.filter((key) => !found.has(key) && !isOpen(key)).length;
        if (shown.length === 0 || shown.length < missing) return [];
        const others = all.filter((key) => found.has(key));
        const likely = [
          ...others.map((key) => [key, ofOthers] as const),
          ...shown.map((key) => [key, ofCore] as const),
        ];
        return [{ mistake, likely: new Map(likely), cost: -missing * Math.log(withoutCore) }];
      });
    });
  });

/** A mistake that explains failed checks, by their ids: those that it is most telling for come first. */
export type Diagnosis = Readonly<{ mistake: Mistake; checks: readonly string[] }>;

/**
 * The mistakes that explain the failed checks of a run best, the gravest first. One after another is added,
 * or taken back, if that makes the symptoms more likely by more than it costs. A check that was not
 * exercised speaks neither for a mistake nor against it.
 */
export const diagnose = (results: readonly CheckResult[]): readonly Diagnosis[] => {
  const failed = results.map((result) => ({ id: result.check.id, keys: symptomsOf(result).map(keyOf) }));
  const unexercised = new Set(
    results.flatMap(({ check, verdict }) =>
      verdict._tag === 'Violated' || verdict._tag === 'Passed' ? [] : [keyOf(placeOf(check.id))],
    ),
  );
  const keys = [...new Set(failed.flatMap((each) => each.keys))];
  const candidates = explanationsIn(new Set(keys), (key) => unexercised.has(key.replace(/=.*/, '')));
  const scoreOf = (some: readonly Explanation[]): number => {
    const count = new Set(some.map(({ mistake }) => mistake)).size;
    const costs = some.reduce(
      (sum, { cost }) => sum + cost,
      count * newMistake + (some.length - count) * sameMistake,
    );
    const isMissed = (key: string) =>
      some.reduce((product, { likely }) => product * (1 - (likely.get(key) ?? 0)), 1 - unexplained);
    return keys.reduce((sum, key) => sum + Math.log(1 - isMissed(key)), -costs);
  };
  let found: Readonly<{ some: readonly Explanation[]; score: number }> = { some: [], score: scoreOf([]) };
  for (;;) {
    const { some, score } = found;
    const [best] = [
      ...candidates.filter((each) => !some.includes(each)).map((each) => [...some, each]),
      ...some.map((each) => some.filter((other) => other !== each)),
    ]
      .map((next) => ({ some: next, score: scoreOf(next) }))
      .sort((left, right) => right.score - left.score);
    if (best === undefined || best.score < score + 1e-6) break;
    found = best;
  }
  const likelihood = (key: string, mistake?: Mistake): number =>
    Math.max(
      0,
      ...found.some.flatMap((each) =>
        mistake === undefined || each.mistake === mistake ? (each.likely.get(key) ?? 0) : [],
      ),
    );
  return mistakes.flatMap((mistake) => {
    if (!found.some.some((each) => each.mistake === mistake)) return [];
    // A symptom belongs to the mistake that it is most likely with.
    const checks = failed.flatMap(({ id, keys: own }) => {
      const shown = own.filter(
        (key) => likelihood(key, mistake) > 0 && likelihood(key, mistake) === likelihood(key),
      );
      return shown.length === 0 ? [] : [{ id, weight: Math.max(...shown.map((key) => likelihood(key))) }];
    });
    return [
      { mistake, checks: checks.sort((left, right) => right.weight - left.weight).map(({ id }) => id) },
    ];
  });
};
