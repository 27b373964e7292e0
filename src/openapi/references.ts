import { namedCodecs } from '../contract/named-codecs.js';
import type { ReferenceTo } from './schema-of.js';

const names = new Map(Object.entries(namedCodecs).map(([name, codec]) => [codec, name]));

/** The reference to the named schema of a codec; null if it has none. */
export const referenceTo: ReferenceTo = (codec) => {
  const name = names.get(codec);
  return name === undefined ? null : `#/components/schemas/${name}`;
};
