import * as t from 'io-ts';

/**
 * Whether decoding returns the very value for which `is` returns true. Then `is`, which allocates nothing,
 * can stand in for decoding wherever it accepts. False for a codec that converts, strips keys or is unknown.
 */
export const keepsValues = (codec: t.Mixed): boolean => {
  if ('keepsValues' in codec) return codec.keepsValues === true;
  if (codec instanceof t.ReadonlyArrayType) return keepsValues(codec.type);
  return (
    codec instanceof t.StringType ||
    codec instanceof t.NumberType ||
    codec instanceof t.BooleanType ||
    codec instanceof t.LiteralType ||
    codec instanceof t.KeyofType
  );
};
