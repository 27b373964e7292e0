import type * as t from 'io-ts';
import { FixDraftRecord, PullRequestRecord, RepoRecord, ScanRecord } from '../../api/row-records.js';
import type { Json } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import { Identifier } from '../../contract/codecs/text-and-numbers.js';
import type { AnyOperation } from '../../contract/operations.js';
import { type Case, casesOf, propsOf, sampleOf } from './cases.js';
import { type Collection, type Fields, unusualRows } from './rows.js';
import { shippedWords } from './shipped.js';
import { type Draft, isOperationId, resourceOf, rowProps, type StateRecipe } from './state.js';

/** A field of rows: the object that it is in, such as `repos.lastScan`, and the operations that show it. */
type Field = Readonly<{
  object: string;
  name: string;
  /** Its path in a row. */
  path: readonly string[];
  codec: t.Mixed;
  operations: readonly AnyOperation[];
}>;

/** The fields that some operations show, and those of the objects in them, each once. */
const fieldsOf = (operations: readonly AnyOperation[]): readonly Field[] => {
  const byPlace = new Map<string, Field>();
  const add = (operation: AnyOperation, props: ReturnType<typeof propsOf>, object: string): void => {
    for (const [name, codec] of Object.entries(props)) {
      const place = `${object}.${name}`;
      const others = byPlace.get(place)?.operations ?? [];
      const path = place.split('.').slice(1);
      byPlace.set(place, { object, name, path, codec, operations: [...others, operation] });
      add(operation, propsOf(codec), place);
    }
  };
  for (const operation of operations) add(operation, rowProps(operation), resourceOf(operation).name);
  return Array.from(byPlace.values());
};

type RecordCodec = Readonly<{ props: Readonly<Record<string, Readonly<{ codec: t.Mixed }>>> }>;

/** The collections in which the fields of an object are stored, and the codecs of their rows. */
const sources: Readonly<Record<string, Readonly<Partial<Record<Collection, RecordCodec>>>>> = {
  repos: { repos: RepoRecord },
  'repos.lastScan': { scans: ScanRecord },
  findings: { findings: FixDraftRecord },
  prs: { pullRequests: PullRequestRecord, findings: FixDraftRecord },
  'prs.repo': { repos: RepoRecord },
};

/** The collection in which a field is stored with a value; undefined: it is in none, or names a row. */
const collectionFor = ({ object, name }: Field, value: Json): string | undefined =>
  Object.entries(sources[object] ?? {}).find(([, { props }]) => {
    const codec = props[name]?.codec;
    return codec !== undefined && codec !== Identifier && codec.is(value);
  })?.[0];

const neverScanned = { repos: { scanStatusBadge: 'never_scanned', status: 'not_scanned' }, scans: null };
const openPr = { pullRequests: { prState: 'open' } };

/** How rows make what the API derives from others. */
const derived: Readonly<Record<string, Fields>> = {
  'repos.lastScan.null': neverScanned,
  'repos.lastScanAt.null': neverScanned,
  'repos.hasOpenFixPr.true': openPr,
  'repos.openFixDraftId.present': openPr,
  'repos.openPrCount.1': openPr,
  'findings.prCount.0': { findings: {}, pullRequests: null },
  'findings.prCount.1': { findings: {} },
};

/** Answers operations with the body that their codecs describe, with a value in its first row. */
export const answersWith = (
  operations: readonly AnyOperation[],
  path: readonly string[],
  value: Json,
): StateRecipe => ({
  rules: operations.flatMap(({ id, responses }) =>
    isOperationId(id) ? [{ operation: id, code: 200, body: sampleOf(responses[200], { path, value }) }] : [],
  ),
});

/** Gives fields of one object a value of some kind, all of them in one row. */
const recipeOf = ([first, ...others]: Fieldset, id: string, value: Json): StateRecipe => {
  const { object, path, operations } = first;
  const fields: Partial<Record<string, Readonly<Record<string, Json>> | null>> = { ...derived[id] };
  for (const field of id in derived ? [] : [first, ...others]) {
    const collection = collectionFor(field, value);
    if (collection === undefined) return answersWith(operations, path, value);
    fields[collection] = { ...fields[collection], [field.name]: value };
  }
  return { patch: unusualRows(object.startsWith('repos') ? fields : { findings: {}, ...fields }) };
};

/** A field, or several ones of one object. */
type Fieldset = readonly [Field, ...Field[]];

const draftOf = (fields: Fieldset, name: string, each: Case): Draft => {
  const [{ object, path, operations }] = fields;
  const { noun, section } = resourceOf({ path: `/api/v1/${object.split('.')[0]}` });
  const { group, words, keepsContract } = each;
  const id = `${object}.${name}.${each.id}`;
  return {
    ...{ id, group, section, keepsContract, make: recipeOf(fields, id, each.value) },
    sentence: `${group === 'texts' ? 'Each text' : `\`${path.join('.')}\``} of a ${noun} ${words}.`,
    operations: operations.map((operation) => operation.id).filter(isOperationId),
    place: group === 'texts' ? object.split('.').slice(1).join('.') || null : path.join('.'),
    expects: keepsContract ? 'data' : 'data-or-error',
    seen: ({ valuesAt }) => {
      const [values = [], ...others] = fields.map((field) => valuesAt(field.path));
      return values.some((value, i) => each.is(value) && others.every((own) => each.is(own[i])));
    },
  };
};

/**
 * The states that the fields of rows can be in, derived from the codecs of the bodies. All texts of an object
 * are long or odd at once: a page seldom shows one alone.
 */
export const fieldStates = (operations: readonly AnyOperation[]): readonly Draft[] => {
  const fields = fieldsOf(operations).map((field) => {
    const cases = casesOf(field.codec, shippedWords[`${field.object}.${field.name}`]);
    return { ...field, others: cases.filter(isOther), texts: cases.filter((each) => !isOther(each)) };
  });
  const single = fields.flatMap((field) => field.others.map((each) => draftOf([field], field.name, each)));
  const stored = fields.filter((field) => field.texts.length > 0 && collectionFor(field, 'text'));
  const together = Array.from(groupBy(stored, ({ object }) => object).values(), ([first, ...others]) =>
    first === undefined ? [] : first.texts.map((each) => draftOf([first, ...others], 'texts', each)),
  );
  return [...single, ...together.flat()];
};

const isOther = ({ group }: Case): boolean => group !== 'texts';
