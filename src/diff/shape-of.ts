import { isRow } from '../verify/json-rows.js';

/** The types that a value in JSON can have. */
export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

/** What is found at a path: in how many places, in how many of them an object, and of which types. */
export type Found = Readonly<{ places: number; objects: number; types: ReadonlySet<JsonType> }>;

/**
 * What is found at each path of a JSON value. All items of an array share a path, with a star for their place. The value
 * itself has the empty path.
 */
export type Shape = ReadonlyMap<string, Found>;

export const shapeOf = (value: unknown): Shape => {
  const shape = new Map<string, { places: number; objects: number; types: Set<JsonType> }>();
  const look = (path: string, found: unknown): void => {
    const here = shape.get(path) ?? { places: 0, objects: 0, types: new Set<JsonType>() };
    here.places += 1;
    here.types.add(typeOf(found));
    shape.set(path, here);
    if (Array.isArray(found)) {
      for (const item of found) look(`${path}/*`, item);
    } else if (isRow(found)) {
      here.objects += 1;
      for (const [key, inner] of Object.entries(found)) look(`${path}/${key}`, inner);
    }
  };
  look('', value);
  return shape;
};

const typeOf = (value: unknown): JsonType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
};

/** The path of the object or array that holds what is at a path; the value itself has none. */
export const parentOf = (path: string): string | null =>
  path === '' ? null : path.slice(0, path.lastIndexOf('/'));
