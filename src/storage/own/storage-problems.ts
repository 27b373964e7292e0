import { describe } from '../../codecs/problem.js';
import type { StorageCall } from '../observed-storage.js';

/** The operations of the port. The type says that none is missing here. */
const operations: Readonly<Record<StorageCall, true>> = {
  ready: true,
  caller: true,
  userByEmail: true,
  user: true,
  signUp: true,
  changePassword: true,
  deleteAccount: true,
  startSession: true,
  endSession: true,
  apiTokens: true,
  addApiToken: true,
  revokeApiToken: true,
  repos: true,
  findings: true,
  finding: true,
  prs: true,
};

/** Why a value is no storage: one line for each reason. What its operations do shows when they are used. */
export const storageProblems = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) {
    return [`expected a storage, an object of functions, got ${shown(value)}`];
  }
  const given = new Map(Object.keys(operations).map((name) => [name, Reflect.get(value, name)]));
  const missing = [...given].filter(([, operation]) => operation === undefined).map(([name]) => name);
  const wrong = [...given].filter(
    ([, operation]) => operation !== undefined && typeof operation !== 'function',
  );
  return [
    ...(missing.length === 0 ? [] : [`these operations of the storage are missing: ${missing.join(', ')}`]),
    ...wrong.map(([name, operation]) => `${name}: expected a function, got ${shown(operation)}`),
  ];
};

const shown = (value: unknown): string => (typeof value === 'function' ? 'a function' : describe(value));
