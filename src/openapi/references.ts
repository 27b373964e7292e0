import { namedCodecs } from '../contract/named-codecs.js';
import type { ReferenceTo } from '../json-schema/schema-of.js';

const names = new Map(Object.entries(namedCodecs).map(([name, codec]) => [codec, name]));

/** Where the document has the schema of a codec of the contract that is known by a name. */
export const referenceTo: ReferenceTo = (codec) => {
  const name = names.get(codec);
  return name === undefined ? null : `#/components/schemas/${name}`;
};
