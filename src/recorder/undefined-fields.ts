import * as t from 'io-ts';

/**
 * The fields of a body that its decoded form does not have, because the contract does not define them: each
 * once, as a path in which `*` stands for any item of an array.
 */
export const undefinedFields = (body: unknown, decoded: unknown): readonly string[] => {
  const found = new Set<string>();
  const visit = (path: string, left: unknown, right: unknown): void => {
    if (Array.isArray(left) && Array.isArray(right)) {
      for (const [index, item] of left.entries()) visit(`${path}/*`, item, right[index]);
    } else if (t.UnknownRecord.is(left) && t.UnknownRecord.is(right)) {
      for (const [key, field] of Object.entries(left)) {
        if (Object.hasOwn(right, key)) visit(`${path}/${key}`, field, right[key]);
        else found.add(`${path}/${key}`);
      }
    }
  };
  visit('', body, decoded);
  return Array.from(found).sort();
};
