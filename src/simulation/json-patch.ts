import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { isJsonEqual } from '../common/json.js';
import { oneOf } from '../contract/codecs/combinators.js';
import { describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';

type Keys = readonly string[];

const OperationName = oneOf({ add: null, remove: null, replace: null, move: null, copy: null, test: null });

/** An operation of a JSON patch. `from` and `value` say nothing where the operation has none. */
type Operation = Readonly<{ op: t.TypeOf<typeof OperationName>; path: Keys; from: Keys; value: unknown }>;

/** A changed document, or why it cannot be changed so. */
type Result = E.Either<string, unknown>;

export const maxOperations = 1000;

/**
 * Applies a JSON patch (RFC 6902). The given document stays as it is, and shares with the changed one what
 * the patch does not touch. `left`: every malformed operation, or the first that cannot be carried out.
 */
export const applyJsonPatch = (
  document: unknown,
  patch: readonly unknown[],
): E.Either<readonly Problem[], unknown> => {
  if (patch.length > maxOperations)
    return E.left([problem([], `a patch has at most ${maxOperations} operations, got ${patch.length}`)]);
  const decoded = patch.map((operation, index) => decodeOperation(operation, String(index)));
  const problems = decoded.flatMap((each) => (E.isLeft(each) ? [each.left] : []));
  if (problems.length > 0) return E.left(problems);
  let changed = document;
  for (const [index, operation] of decoded.entries()) {
    if (E.isLeft(operation)) continue;
    const next = operations[operation.right.op](changed, operation.right);
    if (E.isLeft(next)) return E.left([problem([String(index), 'path'], next.left)]);
    changed = next.right;
  }
  return E.right(changed);
};

const decodeOperation = (given: unknown, at: string): E.Either<Problem, Operation> => {
  if (!t.UnknownRecord.is(given)) return E.left(mismatch([at], 'a patch operation', describe(given)));
  const { op, value } = given;
  if (!OperationName.is(op)) return E.left(mismatch([at, 'op'], OperationName.name, describe(op)));
  const path = keysOf(given.path, [at, 'path']);
  if (E.isLeft(path)) return path;
  const from = op === 'move' || op === 'copy' ? keysOf(given.from, [at, 'from']) : path;
  if (E.isLeft(from)) return from;
  return (op === 'add' || op === 'replace' || op === 'test') && !Object.hasOwn(given, 'value')
    ? E.left(mismatch([at, 'value'], 'a value', 'nothing'))
    : E.right({ op, path: path.right, from: from.right, value });
};

/** The most keys that a pointer may have. The data of a tenant has three levels. */
const maxKeys = 16;

/** The keys of a JSON pointer (RFC 6901), which stands at a place in the patch. */
const keysOf = (pointer: unknown, place: readonly string[]): E.Either<Problem, Keys> => {
  if (typeof pointer !== 'string') return E.left(mismatch(place, 'a JSON pointer', describe(pointer)));
  if (pointer === '') return E.right([]);
  if (!pointer.startsWith('/')) return E.left(problem(place, 'a JSON pointer starts with "/"'));
  if (/~(?![01])/.test(pointer)) return E.left(problem(place, 'in a JSON pointer, "~" is written "~0"'));
  const keys = pointer.slice(1).split('/', maxKeys + 1);
  if (keys.length > maxKeys) return E.left(problem(place, `the JSON pointer has more than ${maxKeys} keys`));
  return E.right(keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')));
};

/** What each operation makes of a document. */
const operations: Readonly<Record<Operation['op'], (document: unknown, operation: Operation) => Result>> = {
  add: (document, { path, value }) => edit(document, path, add(value)),
  remove: (document, { path }) => edit(document, path, remove),
  replace: (document, { path, value }) => edit(document, path, replace(value)),
  copy: (document, { path, from }) =>
    E.flatMap((found: unknown) => edit(document, path, add(found)))(valueAt(document, from)),
  move: (document, { path, from }) => {
    if (from.length < path.length && from.every((key, index) => key === path[index]))
      return E.left('a value cannot be moved into itself');
    if (from.length === 0) return E.right(document);
    const without = edit(document, from, remove);
    if (E.isLeft(without)) return without;
    return E.flatMap((found: unknown) => edit(without.right, path, add(found)))(valueAt(document, from));
  },
  test: (document, { path, value }) =>
    E.flatMap((found) => (isJsonEqual(value, found) ? E.right(document) : E.left('the test failed')))(
      valueAt(document, path),
    ),
};

const missing = E.left('there is no value here');

/** The place in an array that a key names: `-` is the one after the last. Null if it is outside of it. */
const indexIn = (length: number, key: string): number | null => {
  if (key === '-') return length;
  if (!/^(?:0|[1-9]\d{0,8})$/.test(key)) return null;
  const index = Number(key);
  return index <= length ? index : null;
};

const valueAt = (document: unknown, path: Keys): Result => {
  let value = document;
  for (const key of path) {
    if (Array.isArray(value)) {
      const index = indexIn(value.length, key);
      if (index === null || index === value.length) return missing;
      value = value[index];
    } else if (t.UnknownRecord.is(value) && Object.hasOwn(value, key)) value = value[key];
    else return missing;
  }
  return E.right(value);
};

/** Returns a copy of an array or an object with one key changed; without a key, the whole value is meant. */
type Change = (value: unknown, key: string | undefined) => Result;

const add =
  (added: unknown): Change =>
  (value, key) => {
    if (key === undefined) return E.right(added);
    if (!Array.isArray(value))
      return t.UnknownRecord.is(value) ? E.right({ ...value, [key]: added }) : missing;
    const index = indexIn(value.length, key);
    return index === null ? missing : E.right(value.toSpliced(index, 0, added));
  };

const replace =
  (by: unknown): Change =>
  (value, key) =>
    key === undefined
      ? E.right(by)
      : E.map(() => (Array.isArray(value) ? value.with(Number(key), by) : { ...Object(value), [key]: by }))(
          valueAt(value, [key]),
        );

const remove: Change = (value, key) => {
  if (key === undefined) return E.left('the whole document cannot be removed');
  return E.map(() =>
    Array.isArray(value)
      ? value.toSpliced(Number(key), 1)
      : Object.fromEntries(Object.entries(Object(value)).filter(([name]) => name !== key)),
  )(valueAt(value, [key]));
};

/** Makes a change where a path ends, and copies what the path leads through. */
const edit = (value: unknown, [key, ...rest]: Keys, change: Change): Result =>
  key === undefined || rest.length === 0
    ? change(value, key)
    : pipe(
        valueAt(value, [key]),
        E.flatMap((inner) => edit(inner, rest, change)),
        E.flatMap((changed) => replace(changed)(value, key)),
      );

/** Applies a merge patch (RFC 7396), and returns the changed document. The given one stays as it is. */
export const mergePatch = (document: unknown, patch: unknown): unknown => {
  if (!t.UnknownRecord.is(patch)) return patch;
  const merged = new Map(Object.entries(t.UnknownRecord.is(document) ? document : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
};
