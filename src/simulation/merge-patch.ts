import { UnknownRecord } from 'io-ts';

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
