import * as E from '#fp-ts/Either';
import { formatProblem, type Problem, problem } from '../codecs/problem.js';
import { escapeControlCharacters } from '../common/escape-control-characters.js';
import { patchOf } from '../simulation/dataset-patch.js';
import type { ChangeRefused } from '../simulation/live-data.js';
import {
  exampleValues,
  type ProviderState,
  type ProviderStates,
  resolveState,
} from '../simulation/provider-state.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { changedFixtures } from './changed-fixtures.js';
import { originalOf } from './original-tenant.js';

/** Why provider states do not fit these fixtures, with the defaults of their parameters: every problem. */
export const providerStateProblems = (
  states: ProviderStates,
  fixtures: readonly Fixture[],
): readonly string[] =>
  Array.from(states).flatMap(([name, state]) =>
    problemsOf(state, fixtures).map((found) =>
      escapeControlCharacters(`provider state "${name}" ${formatProblem(found)}`),
    ),
  );

const problemsOf = (state: ProviderState, fixtures: readonly Fixture[]): readonly Problem[] => {
  const resolved = resolveState(state, { ...exampleValues, ...state.params });
  if (E.isLeft(resolved)) return resolved.left;
  const { tenant, patch } = resolved.right;
  if (tenant === null) return [];
  const source = typeof tenant === 'string' ? ({ _tag: 'From', name: tenant } as const) : tenant.source;
  const original = originalOf(fixtures, source);
  if (E.isLeft(original)) return refusal('tenant', original.left);
  if (patch === undefined) return [];
  const { dataset } = original.right;
  // The user of a copy is another one, and its credentials are.
  const copy: Fixture = { name: dataset.user.id, file: 'a copy', dataset };
  const changed = changedFixtures([copy], copy.name, patchOf(patch));
  return E.isLeft(changed) ? refusal('patch', changed.left) : [];
};

const refusal = (part: string, refused: ChangeRefused): readonly Problem[] =>
  refused._tag === 'UnknownTenant'
    ? [problem([part], `there is no such tenant; there are ${refused.known.join(', ')}`)]
    : refused.problems.map((found) => ({ ...found, path: [part, ...found.path] }));
