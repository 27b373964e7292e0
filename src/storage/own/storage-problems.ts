import { describe } from '../../codecs/problem.js';
import { ownErrors } from './returned-errors.js';

/** Why a value is no storage: one line for each reason. What its operations do shows when they are used. */
export const storageProblems = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) {
    return [`expected a storage, an object of functions, got ${shown(value)}`];
  }
  const given = new Map(Object.keys(ownErrors).map((name) => [name, Reflect.get(value, name)]));
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
