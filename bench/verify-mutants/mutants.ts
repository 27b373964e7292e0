import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { apply, type Mutation, mutationsOf } from '../mutation/mutations.js';
import { sourceLines } from '../mutation/source-places.js';

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
