import { describe, type Problem, pointer, problem } from '../codecs/problem.js';
import { rawTexts } from './raw-rows.js';

const collections = ['sessions', 'apiTokens', 'repos', 'scans', 'fixDrafts', 'pullRequests'];

const references = [
  { from: 'scans', field: 'repoId', to: 'repos' },
  { from: 'fixDrafts', field: 'repoId', to: 'repos' },
  { from: 'pullRequests', field: 'draftId', to: 'fixDrafts' },
];

/**
 * What ties a tenant's records together: ids unique in their collection, and every `repoId` and `draftId` naming a
 * record of the same tenant. Takes the dataset undecoded, so that these problems are told beside those of the codec.
 */
export const referenceProblems = (dataset: unknown): readonly Problem[] => [
  ...collections.flatMap((collection) => duplicates(dataset, collection)),
  ...references.flatMap(({ from, field, to }) => {
    const known = new Set(rawTexts(dataset, to, 'id').map(({ text }) => text));
    return rawTexts(dataset, from, field)
      .filter(({ text }) => !known.has(text))
      .map(({ path, text }) => problem(path, `no entry of ${to} has the id ${describe(text)}`));
  }),
];

const duplicates = (dataset: unknown, collection: string): readonly Problem[] => {
  const first = new Map<string, readonly string[]>();
  return rawTexts(dataset, collection, 'id').flatMap(({ path, text }) => {
    const seen = first.get(text);
    if (seen === undefined) first.set(text, path);
    return seen === undefined
      ? []
      : [problem(path, `duplicate id ${describe(text)}; ${pointer(seen)} has it already`)];
  });
};
