import { type CredentialKind, credentialDocs, sessionCookieName } from '../contract/credential-kind.js';
import { namedCodecs } from '../contract/named-codecs.js';
import { decided } from '../json-schema/decided.js';
import type { JsonObject } from '../json-schema/json.js';
import { schemaOfNamed } from '../json-schema/schema-of.js';
import { referenceTo } from './references.js';

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

/** The components of the document: the security schemes and the named schemas. */
export const components: JsonObject = {
  securitySchemes,
  schemas: Object.fromEntries(
    Object.entries(namedCodecs).map(([name, codec]) => [name, schemaOfNamed(codec, referenceTo)]),
  ),
};
