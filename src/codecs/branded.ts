import type * as t from 'io-ts';
import { hasShape, StringCodec, type StringShape } from './string-codec.js';

/**
 * Text of one kind, told apart by its type. As `t.brand`, but with a name of its own, which error messages show, and a shape,
 * which can be told in other words than code. `also` is what the shape cannot say.
 */
export const branded = <B>(
  name: string,
  shape: StringShape,
  also: (text: string) => boolean = () => true,
): StringCodec<t.Branded<string, B>> =>
  new StringCodec(
    name,
    shape,
    (u): u is t.Branded<string, B> => typeof u === 'string' && hasShape(shape, u) && also(u),
  );
