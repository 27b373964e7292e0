import { UnknownRecord } from 'io-ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** An object inside a document. */
export type Found = Readonly<{
  value: JsonObject;
  path: readonly string[];
  /** The values around it, the outermost first. */
  ancestors: readonly unknown[];
}>;

/** Responses nest less deeply than this. */
const maxDepth = 16;

/**
 * The objects in a document that fulfil a condition, in their order. It does not look for further ones inside
 * of them, nor below a depth that no response has.
 */
export const findObjects = (
  document: unknown,
  condition: (value: JsonObject) => boolean,
): readonly Found[] => {
  const found: Found[] = [];
  const visit = (value: unknown, path: readonly string[], ancestors: readonly unknown[]): void => {
    if (UnknownRecord.is(value) && condition(value)) {
      found.push({ value, path, ancestors });
      return;
    }
    if (path.length >= maxDepth || (!UnknownRecord.is(value) && !Array.isArray(value))) return;
    const around = [...ancestors, value];
    for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key], around);
  };
  visit(document, [], []);
  return found;
};
