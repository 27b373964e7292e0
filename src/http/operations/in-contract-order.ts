import * as t from 'io-ts';
import { Described, Nullable } from '../../contract/codecs/combinators.js';

/**
 * A value with the keys of its objects in the order of their codec, so that every storage yields the same
 * bytes. Keys that the codec does not know are left out.
 */
export const inContractOrder = (codec: t.Mixed, value: unknown): unknown => {
  if (codec instanceof Described) return inContractOrder(codec.codec, value);
  if (codec instanceof Nullable) return value === null ? null : inContractOrder(codec.codec, value);
  if (codec instanceof t.ReadonlyArrayType) {
    return Array.isArray(value) ? value.map((item) => inContractOrder(codec.type, item)) : value;
  }
  if (!(codec instanceof t.ExactType && codec.type instanceof t.InterfaceType)) return value;
  if (!t.UnknownRecord.is(value)) return value;
  const props: t.Props = codec.type.props;
  return Object.fromEntries(
    Object.entries(props).map(([key, inner]) => [key, inContractOrder(inner, value[key])]),
  );
};
