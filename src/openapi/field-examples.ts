import type { Json, JsonObject } from '../common/json.js';
import type { Examples } from './examples.js';

/** Values of the fields of a named schema, the first one first. */
type FieldValues = Readonly<Record<string, readonly Json[]>>;

/** How many values of a field are shown at most. */
const maxValues = 5;

/** What a page of a hundred rows says: that of the findings of the shipped tenant `boundary`. */
export const typicalPage = { page: [1], limit: [100], totalItems: [399], totalPages: [4] } as const;

/** Values of fields that are null in all examples of responses. */
const typicalScan = { error: ['Clone failed: the access of the service was withdrawn.'] } as const;

/**
 * Example values for the fields of the named schemas, from the examples of responses. Generators of mock data
 * make up text and numbers otherwise that no finding has.
 */
export const fieldValues = ({ operations }: Examples): Readonly<Record<string, FieldValues>> => {
  const bodies = (id: string): readonly Json[] => (operations[id]?.['200'] ?? []).map(({ body }) => body);
  const items = (id: string): readonly Json[] => bodies(id).flatMap((body) => listIn(objectOf(body).items));
  const repos = bodies('listConnectedRepos').flatMap(listIn);
  const details = bodies('getFinding');
  const findings = [...details, ...items('listFindings')];
  const prs = items('listPrs');
  return {
    LastScan: { ...valuesOf(repos.map((repo) => objectOf(repo).lastScan ?? null)), ...typicalScan },
    Repo: valuesOf(repos),
    Finding: valuesOf(findings),
    FindingDetail: valuesOf(findings),
    FindingPage: typicalPage,
    Pr: valuesOf(prs),
    PrRepo: valuesOf(prs.map((pr) => objectOf(pr).repo ?? null)),
    PrPage: typicalPage,
  };
};

/**
 * The schema of an object with example values for its fields: in `examples`, which documents show, and in
 * `x-faker`, from which generators with faker choose.
 */
export const withFieldValues = (schema: JsonObject, values: FieldValues): JsonObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(objectOf(schema.properties)).map(([name, field]) => [
      name,
      { ...objectOf(field), ...asExamples(values[name] ?? []) },
    ]),
  ),
});

const asExamples = (values: readonly Json[]): JsonObject =>
  values.length === 0 ? {} : { examples: values, 'x-faker': { 'helpers.arrayElement': [values] } };

/** The different texts and numbers in each field of some rows. */
const valuesOf = (rows: readonly Json[]): FieldValues => {
  const names = new Set(rows.flatMap((row) => Object.keys(objectOf(row))));
  return Object.fromEntries(
    Array.from(names, (name) => {
      const found = rows.map((row) => objectOf(row)[name]).filter(isTextOrNumber);
      return [name, Array.from(new Set(found)).slice(0, maxValues)];
    }),
  );
};

const isTextOrNumber = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
