import type * as t from 'io-ts';
import type { JsonObject } from '../common/json.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { FindingStatus, PrStatus, Severity } from '../contract/enums.js';
import {
  ErrorBody,
  FindingNotFoundBody,
  InternalServerErrorBody,
  ServiceUnavailableBody,
  UnauthorizedBody,
} from '../contract/error-bodies.js';
import { Finding, FindingDetail, FindingPage } from '../contract/finding.js';
import { type CredentialKind, credentialDocs, sessionCookieName } from '../contract/operations.js';
import { Pr, PrPage, PrRepo } from '../contract/pr.js';
import { LastScan, Repo, RepoList } from '../contract/repo.js';
import type { Examples } from './examples.js';
import { fieldValues, withFieldValues } from './field-examples.js';
import { decided, type ReferenceTo, schemaOfNamed } from './schema-of.js';

/** The codecs that become named schemas, and so named types of generated clients. */
export const namedCodecs: Readonly<Record<string, t.Mixed>> = {
  Repo,
  RepoList,
  LastScan,
  Finding,
  FindingPage,
  FindingDetail,
  Pr,
  PrPage,
  PrRepo,
  Severity,
  FindingStatus,
  PrStatus,
  Timestamp,
  ErrorBody,
  UnauthorizedBody,
  FindingNotFoundBody,
  InternalServerErrorBody,
  ServiceUnavailableBody,
};

const names = new Map(Object.entries(namedCodecs).map(([name, codec]) => [codec, name]));

/** The reference to the named schema of a codec; null if it has none. */
export const referenceTo: ReferenceTo = (codec) => {
  const name = names.get(codec);
  return name === undefined ? null : `#/components/schemas/${name}`;
};

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
