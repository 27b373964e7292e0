import * as t from 'io-ts';
import { UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';

/** The most keys that a pointer may have. The data of a tenant has three levels. */
const maxKeys = 16;

/** The keys of a JSON pointer (RFC 6901). `left`: why it is none. */
const keysOf = (pointer: string): E.Either<string, readonly string[]> => {
  if (pointer === '') return E.right([]);
  if (!pointer.startsWith('/')) return E.left('a JSON pointer starts with "/"');
  if (/~(?![01])/.test(pointer)) return E.left('in a JSON pointer, "~" is written "~0"');
  const keys = pointer.slice(1).split('/', maxKeys + 1);
  if (keys.length > maxKeys) return E.left(`the JSON pointer has more than ${maxKeys} keys`);
  return E.right(keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')));
};

/** The place in an array that a key names: `-` is the one after the last. Null if it is outside of it. */
const indexIn = (length: number, key: string): number | null => {
  if (key === '-') return length;
  if (!/^(?:0|[1-9]\d{0,8})$/.test(key)) return null;
  const index = Number(key);
  return index <= length ? index : null;
};

type Keys = readonly string[];

/** An operation of a JSON patch, with its pointers taken apart. */
type Operation =
  | Readonly<{ op: 'add' | 'replace' | 'test'; path: Keys; value: unknown }>
  | Readonly<{ op: 'remove'; path: Keys }>
  | Readonly<{ op: 'move' | 'copy'; path: Keys; from: Keys }>;

/** The most operations that one patch may have. */
export const maxOperations = 1000;

/**
 * Applies a JSON patch (RFC 6902) and returns the changed document. The given one stays as it is; what the
 * patch does not touch is shared between both, so that a small change of a large document is cheap, and no
 * object that anybody else holds is ever written to. `left`: every operation that is malformed, or the first
 * one that cannot be carried out.
 */
export const applyJsonPatch = (
  document: unknown,
  patch: readonly unknown[],
): E.Either<readonly Problem[], unknown> => {
  if (patch.length > maxOperations)
    return E.left([problem([], `a patch has at most ${maxOperations} operations, got ${patch.length}`)]);
  const decoded = patch.map(decodeOperation);
  const problems = decoded.flatMap((each) => (E.isLeft(each) ? each.left : []));
  if (problems.length > 0) return E.left(problems);
  let changed = document;
  for (const [index, operation] of decoded.entries()) {
    if (E.isLeft(operation)) continue;
    const next = applied(changed, operation.right);
    if (E.isLeft(next)) return E.left([problem([String(index), 'path'], next.left)]);
    changed = next.right;
  }
  return E.right(changed);
};

const operations = { add: null, remove: null, replace: null, move: null, copy: null, test: null };
const OperationName = t.keyof(operations, `one of ${Object.keys(operations).join(', ')}`);

const decodeOperation = (value: unknown, index: number): E.Either<readonly Problem[], Operation> => {
  const at = String(index);
  if (!t.UnknownRecord.is(value)) return E.left([mismatch([at], 'a patch operation', describe(value))]);
  const { op } = value;
  const path = decodePointer(value, at, 'path');
  if (!OperationName.is(op)) return E.left([mismatch([at, 'op'], OperationName.name, describe(op))]);
  if (E.isLeft(path)) return path;
  if (op === 'remove') return E.right({ op, path: path.right });
  if (op === 'move' || op === 'copy') {
    const from = decodePointer(value, at, 'from');
    return E.isLeft(from) ? from : E.right({ op, path: path.right, from: from.right });
  }
  return Object.hasOwn(value, 'value')
    ? E.right({ op, path: path.right, value: value.value })
    : E.left([mismatch([at, 'value'], 'a value', 'nothing')]);
};

const decodePointer = (
  operation: Readonly<Record<string, unknown>>,
  at: string,
  name: 'path' | 'from',
): E.Either<readonly Problem[], Keys> => {
  const text = operation[name];
  if (typeof text !== 'string') return E.left([mismatch([at, name], 'a JSON pointer', describe(text))]);
  return E.mapLeft((reason: string) => [problem([at, name], reason)])(keysOf(text));
};

const applied = (document: unknown, operation: Operation): E.Either<string, unknown> => {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      return edit(document, path, add(operation.value));
    case 'remove':
      return edit(document, path, remove);
    case 'replace':
      return edit(document, path, replace(operation.value));
    case 'copy': {
      const found = valueAt(document, operation.from);
      return E.isLeft(found) ? found : edit(document, path, add(found.right));
    }
    case 'move': {
      const { from } = operation;
      if (from.length < path.length && from.every((key, index) => key === path[index]))
        return E.left('a value cannot be moved into itself');
      const found = valueAt(document, from);
      if (E.isLeft(found)) return found;
      const without = from.length === 0 ? E.right(document) : edit(document, from, remove);
      return E.isLeft(without) ? without : edit(without.right, path, add(found.right));
    }
    default: {
      const found = valueAt(document, path);
      if (E.isLeft(found)) return found;
      return isEqual(operation.value, found.right) ? E.right(document) : E.left('the test failed');
    }
  }
};

/** Changes one key of an array or an object, and returns a changed copy of it. */
type Edit = Readonly<{
  array: (array: readonly unknown[], index: number) => E.Either<string, unknown>;
  object: (object: Readonly<Record<string, unknown>>, key: string) => E.Either<string, unknown>;
  /** The new document, if the whole document is meant. */
  document: () => E.Either<string, unknown>;
}>;

const missing = E.left('there is no value here');

const add = (value: unknown): Edit => ({
  array: (array, index) => E.right(array.toSpliced(index, 0, value)),
  object: (object, key) => E.right({ ...object, [key]: value }),
  document: () => E.right(value),
});

const replace = (value: unknown): Edit => ({
  array: (array, index) => (index < array.length ? E.right(array.with(index, value)) : missing),
  object: (object, key) => (Object.hasOwn(object, key) ? E.right({ ...object, [key]: value }) : missing),
  document: () => E.right(value),
});

const remove: Edit = {
  array: (array, index) => (index < array.length ? E.right(array.toSpliced(index, 1)) : missing),
  object: (object, key) =>
    Object.hasOwn(object, key)
      ? E.right(Object.fromEntries(Object.entries(object).filter(([name]) => name !== key)))
      : missing,
  document: () => E.left('the whole document cannot be removed'),
};

const edit = (value: unknown, [key, ...rest]: Keys, last: Edit): E.Either<string, unknown> => {
  if (key === undefined) return last.document();
  const change = rest.length === 0 ? last : inside(rest, last);
  if (Array.isArray(value)) {
    const index = indexIn(value.length, key);
    return index === null ? missing : change.array(value, index);
  }
  return t.UnknownRecord.is(value) ? change.object(value, key) : missing;
};

/** Makes the change further inside. */
const inside = (rest: Keys, last: Edit): Edit => ({
  array: (array, index) => {
    if (index >= array.length) return missing;
    return E.map((changed: unknown) => array.with(index, changed))(edit(array[index], rest, last));
  },
  object: (object, key) => {
    if (!Object.hasOwn(object, key)) return missing;
    return E.map((changed: unknown) => ({ ...object, [key]: changed }))(edit(object[key], rest, last));
  },
  document: () => missing,
});

const valueAt = (document: unknown, path: Keys): E.Either<string, unknown> => {
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

/** Whether two JSON values are equal. Takes as long as `expected` is large, however large the other is. */
const isEqual = (expected: unknown, found: unknown): boolean => {
  if (Array.isArray(expected))
    return (
      Array.isArray(found) &&
      found.length === expected.length &&
      expected.every((item, index) => isEqual(item, found[index]))
    );
  if (!t.UnknownRecord.is(expected)) return expected === found;
  if (!t.UnknownRecord.is(found) || Array.isArray(found)) return false;
  const keys = Object.keys(expected);
  return (
    keys.length === Object.keys(found).length &&
    keys.every((key) => Object.hasOwn(found, key) && isEqual(expected[key], found[key]))
  );
};

/**
 * Applies a merge patch (RFC 7396) and returns the changed document: objects are merged, null removes a key,
 * anything else replaces what was there. The given document stays as it is.
 */
export const mergePatch = (document: unknown, patch: unknown): unknown => {
  if (!UnknownRecord.is(patch)) return patch;
  const merged = new Map(Object.entries(UnknownRecord.is(document) ? document : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
};
