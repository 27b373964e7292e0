import { type JsonType, parentOf, type Shape } from './shape-of.js';

type ShapeDifference = Readonly<{ kind: 'shape' | 'note'; where: string; left: string; right: string }>;

/**
 * How two shapes differ: in fields that one side never has, has sometimes or has always, and in their types. Where one side has
 * nothing to compare with, as in an empty list, and where only one has a null, the data may be the reason: a note.
 */
export const compareShapes = (left: Shape, right: Shape): readonly ShapeDifference[] =>
  Array.from(new Set([...left.keys(), ...right.keys()]))
    .sort()
    .flatMap((path) => {
      const [l, r] = [presence(left, path), presence(right, path)];
      if (l === 'no place' || r === 'no place')
        return isEmptyOnce(path, left, right) ? [note(path, left, right)] : [];
      if (l !== r)
        return [{ kind: 'shape', where: path, left: words(left, path, l), right: words(right, path, r) }];
      const [lTypes, rTypes] = [typesAt(left, path), typesAt(right, path)];
      if (same(lTypes, rTypes)) return [];
      const [lReal, rReal] = [lTypes.filter(isReal), rTypes.filter(isReal)];
      const kind = same(lReal, rReal) || lReal.length === 0 || rReal.length === 0 ? 'note' : 'shape';
      return [{ kind, where: path, left: lTypes.join(' or '), right: rTypes.join(' or ') }];
    });

/** How a field is there: `no place` means that there is nothing that could have it. */
type Presence = 'always' | 'sometimes' | 'never' | 'no place';

const presence = (shape: Shape, path: string): Presence => {
  const parent = parentOf(path);
  if (parent === null) return 'always';
  const places = shape.get(path)?.places ?? 0;
  // Items of an array are there or not; only fields can be missing.
  if (path.endsWith('/*')) return places > 0 ? 'always' : 'no place';
  const objects = shape.get(parent)?.objects ?? 0;
  if (objects === 0) return 'no place';
  if (places === 0) return 'never';
  return places === objects ? 'always' : 'sometimes';
};

/** That of two arrays one is empty; of what is below, and of what a null takes the place of, is told elsewhere. */
const isEmptyOnce = (path: string, left: Shape, right: Shape): boolean => {
  const parent = parentOf(path) ?? '';
  return path.endsWith('/*') && [left, right].every((shape) => shape.get(parent)?.types.has('array'));
};

const note = (path: string, left: Shape, right: Shape): ShapeDifference => ({
  kind: 'note',
  where: path,
  left: typesAt(left, path).join(' or ') || 'nothing to compare',
  right: typesAt(right, path).join(' or ') || 'nothing to compare',
});

const words = (shape: Shape, path: string, found: Presence): string =>
  found === 'never' ? 'never there' : `${found} there, ${typesAt(shape, path).join(' or ')}`;

const typesAt = (shape: Shape, path: string): readonly JsonType[] =>
  Array.from(shape.get(path)?.types ?? []).sort();

const isReal = (type: JsonType): boolean => type !== 'null';

const same = (left: readonly string[], right: readonly string[]): boolean => left.join() === right.join();
