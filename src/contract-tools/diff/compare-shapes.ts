import { isRow } from '../verify/json-rows.js';

type ShapeDifference = Readonly<{ kind: 'shape' | 'note'; where: string; left: string; right: string }>;

/**
 * How the shapes of two JSON values differ: in the types of fields, and in whether a field is always,
 * sometimes or never present. It is only a note if the data may be the reason: one side has an empty array,
 * or null in place of a value.
 */
export const compareShapes = (leftValue: unknown, rightValue: unknown): readonly ShapeDifference[] => {
  const [left, right] = [shapeOf(leftValue), shapeOf(rightValue)];
  return Array.from(new Set([...left.keys(), ...right.keys()]))
    .sort()
    .flatMap((path) => comparePath(path, left, right));
};

const comparePath = (path: string, left: Shape, right: Shape): readonly ShapeDifference[] => {
  const [leftPresence, rightPresence] = [presenceOf(left, path), presenceOf(right, path)];
  if (leftPresence === 'unknown' || rightPresence === 'unknown')
    return isEmptyOnOneSide(path, left, right)
      ? [{ kind: 'note', where: path, left: typesText(left, path), right: typesText(right, path) }]
      : [];
  if (leftPresence !== rightPresence)
    return [
      {
        kind: 'shape',
        where: path,
        left: presenceText(left, path, leftPresence),
        right: presenceText(right, path, rightPresence),
      },
    ];
  const [leftTypes, rightTypes] = [typesAt(left, path), typesAt(right, path)];
  if (isSame(leftTypes, rightTypes)) return [];
  const [leftNonNull, rightNonNull] = [leftTypes.filter(isNotNull), rightTypes.filter(isNotNull)];
  const isDueToNull =
    isSame(leftNonNull, rightNonNull) || leftNonNull.length === 0 || rightNonNull.length === 0;
  return [
    {
      kind: isDueToNull ? 'note' : 'shape',
      where: path,
      left: typesText(left, path),
      right: typesText(right, path),
    },
  ];
};

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** How many values there are at a path, how many of them are objects, and all their types. */
type PathShape = { values: number; objects: number; readonly types: Set<JsonType> };

/** A JSON value by path. All items of an array share the path `…/*`; the value itself has the empty path. */
type Shape = ReadonlyMap<string, Readonly<PathShape>>;

const shapeOf = (root: unknown): Shape => {
  const shape = new Map<string, PathShape>();
  const visit = (path: string, value: unknown): void => {
    const atPath = shape.get(path) ?? { values: 0, objects: 0, types: new Set() };
    shape.set(path, atPath);
    atPath.values += 1;
    atPath.types.add(typeOf(value));
    if (Array.isArray(value)) {
      for (const item of value) visit(`${path}/*`, item);
    } else if (isRow(value)) {
      atPath.objects += 1;
      for (const [key, field] of Object.entries(value)) visit(`${path}/${key}`, field);
    }
  };
  visit('', root);
  return shape;
};

const typeOf = (value: unknown): JsonType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
};

/** The path of the object or array around a path; null for the root. */
const parentOf = (path: string): string | null => (path === '' ? null : path.slice(0, path.lastIndexOf('/')));

/** `unknown`: there is no object that could have the field, or no item in the array. */
type Presence = 'always' | 'sometimes' | 'never' | 'unknown';

const presenceOf = (shape: Shape, path: string): Presence => {
  const parent = parentOf(path);
  if (parent === null) return 'always';
  const values = shape.get(path)?.values ?? 0;
  // An array may be empty: only fields can be missing.
  if (path.endsWith('/*')) return values > 0 ? 'always' : 'unknown';
  const objects = shape.get(parent)?.objects ?? 0;
  if (objects === 0) return 'unknown';
  if (values === 0) return 'never';
  return values === objects ? 'always' : 'sometimes';
};

/** Whether both sides have an array here, one of them empty. Its items are not compared any further. */
const isEmptyOnOneSide = (path: string, left: Shape, right: Shape): boolean => {
  const parent = parentOf(path) ?? '';
  return path.endsWith('/*') && [left, right].every((shape) => shape.get(parent)?.types.has('array'));
};

const presenceText = (shape: Shape, path: string, presence: Presence): string =>
  presence === 'never' ? 'never present' : `${presence} present, ${typesText(shape, path)}`;

const typesText = (shape: Shape, path: string): string =>
  typesAt(shape, path).join(' or ') || 'nothing to compare';

const typesAt = (shape: Shape, path: string): readonly JsonType[] =>
  Array.from(shape.get(path)?.types ?? []).sort();

const isNotNull = (type: JsonType): boolean => type !== 'null';

const isSame = (left: readonly string[], right: readonly string[]): boolean => left.join() === right.join();
