import * as E from '#fp-ts/Either';
import { decodeProviderStates, type ProviderStates } from '../simulation/provider-state.js';
import { formatFileProblem, readJsonFile } from '../storage/fixtures/json-file.js';

/** Reads provider states from a file. `left`: every problem, with its place in the file. */
export const readProviderStatesFile = async (
  file: string,
): Promise<E.Either<readonly string[], ProviderStates>> => {
  const json = await readJsonFile(file);
  if (E.isLeft(json)) return E.left(json.left.map(formatFileProblem));
  const { content, locate } = json.right;
  const decoded = decodeProviderStates(content);
  return E.isLeft(decoded) ? E.left(locate(decoded.left).map(formatFileProblem)) : decoded;
};
