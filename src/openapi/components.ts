import type * as t from 'io-ts';
import { type CredentialKind, credentialDocs, sessionCookieName } from '../contract/credential-kind.js';
import { namedCodecs } from '../contract/named-codecs.js';
import { decided } from './decided.js';
import type { Examples } from './examples.js';
import { fieldValues, withFieldValues } from './field-examples.js';
import type { JsonObject } from './json.js';
import { referenceTo } from './references.js';
import { schemaOfNamed } from './schema-of.js';

const { session, bearer } = credentialDocs;

const securitySchemes: Readonly<Record<CredentialKind, JsonObject>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    ...decided(session.description, session.decision),
  },
  bearer: { type: 'http', scheme: 'bearer', ...decided(bearer.description, bearer.decision) },
};

/** The components of the document: the security schemes, and the named schemas with example values. */
export const components = (examples: Examples): JsonObject => {
  const values = fieldValues(examples);
  const schemaNamed = (name: string, codec: t.Mixed): JsonObject => {
    const schema = schemaOfNamed(codec, referenceTo);
    const own = values[name];
    return own === undefined ? schema : withFieldValues(schema, own);
  };
  return {
    securitySchemes,
    schemas: Object.fromEntries(
      Object.entries(namedCodecs).map(([name, codec]) => [name, schemaNamed(name, codec)]),
    ),
  };
};
