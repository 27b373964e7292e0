import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type * as t from 'io-ts';
import { Finding, FindingDetail } from '../../contract/finding.js';
import { Pr, PrRepo } from '../../contract/pr.js';
import { LastScan, Repo } from '../../contract/repo.js';
import type { Check } from '../check.js';
import type { CheckBlocked } from '../check-blocked.js';
import { allOf, repoValuesOf } from '../lists.js';
import type { Reading } from '../reading.js';
import { isRow, type Row, rowsOf, type Seen } from '../row.js';
import {
  type ValidationFailure,
  type ValidationFailureKind,
  validationFailures,
} from '../validation-failures.js';
import { type Case, verdictOf, violation } from '../verdict.js';
import { sampledDetails } from './sampled-details.js';

/** A resource of the contract, and where it is seen. */
type Resource = Readonly<{
  id: string;
  section: string;
  /** What a tenant must have for it to be seen. */
  needed: string;
  codec: t.Mixed;
  /** The keys that the contract lists, for the resource itself and for objects inside of it. */
  keys: readonly (readonly [path: readonly string[], props: t.Props])[];
  seen: (reading: Reading) => TE.TaskEither<CheckBlocked, readonly Seen<unknown>[]>;
}>;

const itemsOf = (name: 'findings' | 'prs') => (reading: Reading) =>
  pipe(
    allOf(reading, name),
    TE.map(({ pages }) => pages.flatMap(({ items }) => items)),
  );

const resources: readonly Resource[] = [
  {
    id: 'repos',
    section: '2.1',
    needed: 'a connected repository',
    codec: Repo,
    keys: [
      [[], Repo.type.props],
      [['lastScan'], LastScan.type.props],
    ],
    seen: (reading) => repoValuesOf(reading, 'own'),
  },
  {
    id: 'findings',
    section: '2.2',
    needed: 'a finding',
    codec: Finding,
    // prCount in a list has a check of its own.
    keys: [[[], FindingDetail.type.props]],
    seen: itemsOf('findings'),
  },
  {
    id: 'finding',
    section: '2.2',
    needed: 'a finding',
    codec: FindingDetail,
    keys: [[[], FindingDetail.type.props]],
    seen: sampledDetails,
  },
  {
    id: 'prs',
    section: '2.3',
    needed: 'a pull request',
    codec: Pr,
    keys: [
      [[], Pr.type.props],
      [['repo'], PrRepo.type.props],
    ],
    seen: itemsOf('prs'),
  },
];

/** The ways in which a value can fail, each a statement of the contract. */
const kinds: readonly Readonly<{
  kind: ValidationFailureKind;
  id: string;
  section?: string;
  statement: string;
}>[] = [
  { kind: 'missing', id: 'fields', statement: 'every field of the contract is there, nullable ones too' },
  { kind: 'type', id: 'types', statement: 'every field has the type of the contract' },
  { kind: 'null', id: 'nulls', statement: 'null stands only where the contract allows or leaves it open' },
  {
    kind: 'timestamp',
    id: 'timestamps',
    section: '2',
    statement: 'timestamps are ISO 8601, UTC, with exactly three decimals',
  },
  { kind: 'word', id: 'words', statement: 'severity and status are words of the contract' },
];

const hasWords = ({ id }: Resource): boolean => id === 'finding' || id === 'findings';

const judged = (
  { seen, needed }: Resource,
  judge: (each: Seen<unknown>) => readonly Case[],
): Check['check'] => {
  return (reading) =>
    pipe(
      seen(reading),
      TE.map((values) => verdictOf(needed, values.flatMap(judge))),
    );
};

/**
 * Whether the contract leaves a null open: it does not say what the dates of a scan are when there was none yet (2.1).
 * A scan that began has both.
 */
const isLeftOpen = (value: unknown, { kind, path }: ValidationFailure): boolean =>
  kind === 'null' &&
  path[0] === 'lastScan' &&
  (path[1] === 'startedAt' || path[1] === 'finishedAt') &&
  isRow(value) &&
  isRow(value.lastScan) &&
  value.lastScan.startedAt === null;

const fitChecks = (resource: Resource): readonly Check[] =>
  kinds
    .filter(({ kind }) => kind !== 'word' || hasWords(resource))
    .map(({ kind, id, section, statement }) => ({
      id: `${resource.id}.${id}`,
      section: section ?? resource.section,
      level: 'must',
      statement: `${resource.id}: ${statement}`,
      compares: false,
      check: judged(resource, ({ value, from, path }) => {
        const found = validationFailures(resource.codec, value).filter(
          (misfit) => misfit.kind === kind && !isLeftOpen(value, misfit),
        );
        if (found.length === 0) return [null];
        return found.map((misfit) => violation(from, [...path, ...misfit.path], misfit.expected, misfit.got));
      }),
    }));

/** Further fields do not break a client; the contract says neither that there are none nor that there may be some. */
const furtherKeys = (resource: Resource): Check => ({
  id: `${resource.id}.no-further-fields`,
  section: resource.section,
  level: 'may',
  statement: `${resource.id}: there are no fields besides those of the contract`,
  compares: false,
  check: judged(resource, (seen) =>
    rowsOf([seen]).flatMap(({ value, from, path }) =>
      resource.keys.flatMap(([inner, props]): readonly Case[] => {
        const row = rowAt(value, inner);
        const further = row === null ? [] : Object.keys(row).filter((key) => !Object.hasOwn(props, key));
        if (further.length === 0) return [null];
        return further.map((key) => violation(from, [...path, ...inner, key], 'no such field', row?.[key]));
      }),
    ),
  ),
});

const rowAt = (row: Row, path: readonly string[]): Row | null => {
  const [key] = path;
  if (key === undefined) return row;
  const inner = row[key];
  return isRow(inner) ? inner : null;
};

const prCountOnlyInDetail: Check = {
  id: 'findings.no-pr-count',
  section: '2.2',
  level: 'must',
  statement: 'findings: prCount is in the detail only, not in items of the list',
  compares: false,
  check: (reading) =>
    pipe(
      allOf(reading, 'findings'),
      TE.map(({ pages }) =>
        verdictOf(
          'a finding',
          rowsOf(pages.flatMap(({ items }) => items)).map(({ value, from, path }) =>
            Object.hasOwn(value, 'prCount')
              ? violation(from, [...path, 'prCount'], 'no such field', value.prCount)
              : null,
          ),
        ),
      ),
    ),
};

/** What each resource looks like (contract, section 2). */
export const resourceChecks: readonly Check[] = [
  ...resources.flatMap((resource) => [...fitChecks(resource), furtherKeys(resource)]),
  prCountOnlyInDetail,
];
