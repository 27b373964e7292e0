import * as t from 'io-ts';

/**
 * Whether a value of this codec is or holds a secret: who wrote `["token"]` meant `[{"token": "token"}]`.
 * Each codec says so of itself, so that decoding needs none of the classes that a front end does not use.
 */
export const holdsSecret = (codec: object): boolean => {
  if ('holdsSecret' in codec) return codec.holdsSecret === true;
  return codec instanceof t.ReadonlyArrayType && holdsSecret(codec.type);
};
