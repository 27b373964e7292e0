import * as E from '#fp-ts/Either';

/** The most keys that a pointer may have. The data of a tenant has three levels. */
const maxKeys = 16;

/** The keys of a JSON pointer (RFC 6901). `left`: why it is none. */
export const keysOf = (pointer: string): E.Either<string, readonly string[]> => {
  if (pointer === '') return E.right([]);
  if (!pointer.startsWith('/')) return E.left('a JSON pointer starts with "/"');
  if (/~(?![01])/.test(pointer)) return E.left('in a JSON pointer, "~" is written "~0"');
  const keys = pointer.slice(1).split('/', maxKeys + 1);
  if (keys.length > maxKeys) return E.left(`the JSON pointer has more than ${maxKeys} keys`);
  return E.right(keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')));
};

/** The place in an array that a key names: `-` is the one after the last. Null if it is outside of it. */
export const indexIn = (length: number, key: string): number | null => {
  if (key === '-') return length;
  if (!/^(?:0|[1-9]\d{0,8})$/.test(key)) return null;
  const index = Number(key);
  return index <= length ? index : null;
};
