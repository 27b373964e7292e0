import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { groupBy } from '../../src/common/sort-and-group.js';
import { apply, describeMutation, type Mutation, mutationsOf, sourceLines } from '../mutation/mutations.js';
import { type Judgement, judgeServer, sandboxedServer } from './judge.js';
import { type KnownSurvivor, knownSurvivors } from './known-survivors.js';

/** The small server with one defect: its text, and the function and the line in which the defect is. */
export type Mutant = Readonly<{ text: string; mutation: Mutation; within: string; line: number | undefined }>;

/** The small server, compiled. */
const file = fileURLToPath(new URL('small-server.js', import.meta.url));

/** The text of the small server without a defect. */
export const readSmallServer = (): Promise<string> => readFile(file, 'utf8');

type Declaration = Readonly<{ name: string; start: number; end: number }>;

const declarationsIn = (text: string): readonly Declaration[] =>
  parse(text, { ecmaVersion: 'latest', sourceType: 'module' }).body.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ id, start, end }) =>
      id.type === 'Identifier' ? [{ name: id.name, start, end }] : [],
    );
  });

/** Every mutant of the small server, in the order of its text. */
export const allMutants = async (): Promise<readonly Mutant[]> => {
  const text = await readSmallServer();
  const declarations = declarationsIn(text);
  const lineOf = await sourceLines(file, text);
  return mutationsOf(text).map((mutation) => ({
    text: apply(text, mutation),
    mutation,
    within: declarations.find(({ start, end }) => start <= mutation.start && mutation.end <= end)?.name ?? '',
    line: lineOf(mutation.start),
  }));
};

/**
 * A mutant and what `verify` says about it. `Broken`: it throws when it starts, so nothing can be verified.
 */
export type Result = Readonly<{ mutant: Mutant; judgement: Judgement | Readonly<{ _tag: 'Broken' }> }>;

/** Verifies one mutant. */
export const runMutant = async (mutant: Mutant): Promise<Result> => {
  const send = sandboxedServer(mutant.text);
  return { mutant, judgement: send === null ? { _tag: 'Broken' } : await judgeServer(send) };
};

/** Where the defect of a mutant is, and what it is. */
export const describeMutant = ({ within, line, mutation }: Mutant): string =>
  `${within}, line ${line ?? '?'}: ${describeMutation(mutation)}`;

/**
 * The results of a run. `caught`: a statement is broken. `refused`: exit code 2. `doubted`: too few
 * statements were exercised. `right`: mutants that pass and are listed, because they break nothing that the
 * contract says. `survived`: all others that pass.
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
