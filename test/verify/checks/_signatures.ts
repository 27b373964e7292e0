import { isJsonEqual } from '../../../src/common/json.js';
import { groupBy } from '../../../src/common/sort-and-group.js';
import { allChecks } from '../../../src/verify/checks/all-checks.js';
import { type Symptom, symptomsOf } from '../../../src/verify/diagnose.js';
import { mistakes } from '../../../src/verify/mistakes.js';
import type { CheckResult } from '../../../src/verify/report.js';
import { resultsOf } from '../_judge.js';
import { isAt, type Mutant, type Mutation, mutated, type Place, type Real } from '../_mutation.js';

/** A run over a wrong server: what it found, and the places whose responses differ from the right ones. */
export type Observed = Readonly<{
  mistake: string;
  places: readonly Place[];
  results: readonly CheckResult[];
}>;

const places: readonly Place[] = ['repos', 'findings', 'finding', 'prs'];

export const mistakeOf = ([name]: Mutant): string => name.replace(/:.*/, '');

export const observe = async (real: Real, mutant: Mutant): Promise<Observed> => {
  const changed = new Set<Place>();
  const watched: Mutation = async (incoming, server) => {
    const answer = await mutant[1](incoming, server);
    const place = places.find((each) => isAt(each, incoming));
    if (place !== undefined && !isJsonEqual(answer, await server(incoming.request))) changed.add(place);
    return answer;
  };
  const { results } = await resultsOf(allChecks, mutated(real, watched));
  return { mistake: mistakeOf(mutant), places: places.filter((place) => changed.has(place)), results };
};

/** The symptoms of a server that is wrong at a place: there, and elsewhere if no other place is wrong. */
const symptomsAt = (
  place: Place,
  { places, results }: Observed,
): Readonly<Record<'own' | 'elsewhere', readonly string[]>> => {
  const symptoms = results.flatMap(symptomsOf);
  const isOwn = (symptom: Symptom) => symptom.place === place || symptom.place === '';
  const own = symptoms.filter(isOwn).map(({ text }) => text);
  const elsewhere =
    places.length > 1
      ? []
      : symptoms.filter((each) => !isOwn(each)).map(({ place, text }) => `${text}@${place}`);
  return own.length === 0 ? { own: elsewhere, elsewhere: [] } : { own, elsewhere };
};

const isSubset = (some: readonly string[], all: readonly string[]) =>
  some.every((each) => all.includes(each));

/** The line of a mistake in `signatures.ts`. */
const signatureLine = (id: string, observed: readonly Observed[]): string => {
  const found = observed
    .flatMap((each) => each.places.map((place) => ({ place, ...symptomsAt(place, each) })))
    .filter(({ own }) => own.length > 0);
  const sets = found.map(({ own }) => own.toSorted());
  const cores = sets.filter(
    (set, index) =>
      !sets.some((other, at) => isSubset(other, set) && (other.length < set.length || at < index)),
  );
  const inCores = new Set(cores.flat());
  const others = new Set(
    found.flatMap(({ own, elsewhere }) => [...own, ...elsewhere]).filter((each) => !inCores.has(each)),
  );
  const texts = {
    places: [...new Set(found.map(({ place }) => place))].toSorted().join(' '),
    cores: cores
      .map((core) => core.join(' '))
      .toSorted()
      .join(' | '),
    others: [...others].toSorted().join(' '),
  };
  return `  '${id}': { places: '${texts.places}', cores: '${texts.cores}', others: '${texts.others}' },`;
};

/** The file `signatures.ts`, as these runs over wrong servers give it. */
export const signaturesFile = (observed: readonly Observed[]): string => {
  const byMistake = groupBy(observed, ({ mistake }) => mistake);
  return [
    "import type { Signature } from './diagnose.js';",
    '',
    '/** Recorded from the wrong servers of the tests by `npm run derive:signatures`. */',
    'export const signatures: Readonly<Record<string, Signature>> = {',
    ...mistakes.map(({ id }) => signatureLine(id, byMistake.get(id) ?? [])),
    '};',
    '',
  ].join('\n');
};
