import * as t from 'io-ts';
import { isJsonObject, type Json, type JsonObject } from '../common/json.js';
import { Described } from '../contract/codecs/combinators.js';
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
import { decided, inlinedSchemaOf, type ReferenceTo } from './schema-of.js';

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

export const referenceTo: ReferenceTo = (codec) => {
  const name = Object.keys(namedCodecs).find((each) => namedCodecs[each] === codec);
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

export const components = (examples: Examples): JsonObject => {
  const values = fieldValues(examples);
  const schemas = Object.entries(namedCodecs).map(([name, codec]) => [
    name,
    withFieldValues(inlinedSchemaOf(codec, referenceTo), { ...values[name], ...examplesIn(codec) }),
  ]);
  return { securitySchemes, schemas: Object.fromEntries(schemas) };
};

/** Values of the fields of a named schema, the first one first. */
type FieldValues = Readonly<Record<string, readonly Json[]>>;

/** The examples of the fields of an object that its own codec gives. */
const examplesIn = (codec: t.Mixed): FieldValues =>
  codec instanceof t.ExactType && codec.type instanceof t.InterfaceType
    ? Object.fromEntries(
        Object.entries(codec.type.props).flatMap(([name, field]) =>
          field instanceof Described && field.example !== null ? [[name, [field.example]]] : [],
        ),
      )
    : {};

/** Example values for the fields of the named schemas: generators of mock data make up odd ones otherwise. */
const fieldValues = ({ operations }: Examples): Readonly<Record<string, FieldValues>> => {
  const bodies = (id: string) => objectsIn((operations[id]?.['200'] ?? []).map(({ body }) => body));
  const items = (id: string) => objectsIn(bodies(id).map((body) => body.items));
  const repos = bodies('listConnectedRepos');
  const findings = distinctValues([...bodies('getFinding'), ...items('listFindings')]);
  const prs = items('listPrs');
  return {
    LastScan: distinctValues(objectsIn(repos.map(({ lastScan }) => lastScan))),
    Repo: distinctValues(repos),
    Finding: findings,
    FindingDetail: findings,
    Pr: distinctValues(prs),
    PrRepo: distinctValues(objectsIn(prs.map(({ repo }) => repo))),
  };
};

/** The objects among some values, and in lists of them. */
const objectsIn = (values: readonly (Json | undefined)[]): readonly JsonObject[] =>
  values
    .flatMap((value): readonly (Json | undefined)[] => (Array.isArray(value) ? value : [value]))
    .filter(isJsonObject);

/** Puts values into `examples`, which documents show, and `x-faker`, from which generators choose. */
const withFieldValues = (schema: JsonObject, values: FieldValues): JsonObject => {
  if (!isJsonObject(schema.properties)) return schema;
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const examples = values[name] ?? [];
    if (!isJsonObject(field) || examples.length === 0) return [name, field];
    return [name, { ...field, examples, 'x-faker': { 'helpers.arrayElement': [examples] } }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
};

/** The different texts and numbers in each field of some rows, five at most. */
const distinctValues = (rows: readonly JsonObject[]): FieldValues =>
  Object.fromEntries(
    Array.from(new Set(rows.flatMap(Object.keys)), (name) => {
      const values = rows
        .map((row) => row[name])
        .filter((value) => typeof value === 'string' || typeof value === 'number');
      return [name, Array.from(new Set(values)).slice(0, 5)];
    }),
  );
