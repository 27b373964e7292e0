import * as E from '#fp-ts/Either';
import { linesAbout } from '../in-process/or-throw.js';
import { readProviderStatesFile } from '../server/read-provider-states.js';
import { jsonCopy } from '../simulation/json-copy.js';
import { decodeProviderStates, type ProviderStates } from '../simulation/provider-state.js';
import type { TriageApiOptions } from './options.js';
import { pathOf } from './path-of.js';

/** Loads provider states: from a file, or from a value. `left`: one line for each problem. */
export const loadProviderStates = async (
  states: TriageApiOptions['providerStates'],
): Promise<E.Either<readonly string[], ProviderStates>> => {
  if (states === undefined) return E.right(new Map());
  if (typeof states === 'string' || states instanceof URL) {
    const file = pathOf('providerStates', states);
    return E.isLeft(file) ? file : readProviderStatesFile(file.right);
  }
  const copy = jsonCopy(states);
  if (E.isLeft(copy)) return E.left([`providerStates: ${copy.left}`]);
  const decoded = decodeProviderStates(copy.right);
  return E.isLeft(decoded) ? E.left(linesAbout('providerStates', decoded.left)) : decoded;
};
