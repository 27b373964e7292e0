import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { Finding, FindingDetail } from '../../../contract/finding.js';
import { LenientRepo } from '../../../contract/lenient.js';
import { operations } from '../../../contract/operations.js';
import { maxLimit } from '../../../contract/page-and-limit.js';
import { Pr, PrRepo } from '../../../contract/pr.js';
import { LastScan } from '../../../contract/repo.js';
import { type Case, type Check, hasOnlyFields, info, must, onPage, violation } from '../check.js';
import { pages } from '../list-needs.js';
import { type Need, split } from '../need.js';
import {
  type Exchange,
  findingStatusFilters,
  type ListName,
  listNames,
  listRequest,
  listSection,
  prStatusFilters,
  type QueryValues,
  repoValues,
  requestTo,
  response,
  responses,
  severityFilters,
  unknownRepoId,
} from '../requests.js';
import { isRow, type Located, rowsOf } from '../rows.js';
import { detailValues } from './detail-checks.js';

/** How a value fails its codec. */
type ValidationFailureKind = 'missing' | 'null' | 'timestamp' | 'enum' | 'type';

/** A place in a value where it fails its codec. */
type ValidationFailure = Readonly<{
  kind: ValidationFailureKind;
  path: readonly string[];
  expected: string;
  got: unknown;
}>;

/** All places where a value fails a codec of the contract, each with its kind. */
const validationFailures = (codec: t.Mixed, value: unknown): readonly ValidationFailure[] => {
  const decoded = codec.decode(value);
  if (E.isRight(decoded)) return [];
  return decoded.left.map(({ context, value: got }) => {
    const expected = context.at(-1)?.type.name ?? codec.name;
    return { kind: kindOf(expected, got), path: context.slice(1).map(({ key }) => key), expected, got };
  });
};

const kindOf = (expected: string, got: unknown): ValidationFailureKind => {
  if (got === undefined) return 'missing';
  if (got === null) return 'null';
  if (typeof got !== 'string') return 'type';
  if (expected.startsWith('timestamp')) return 'timestamp';
  return expected.startsWith('one of') ? 'enum' : 'type';
};

/** The filters of each list, and what they are in words. */
const filters: Readonly<Record<ListName, readonly [string, readonly QueryValues[]]>> = {
  findings: [
    'repoId, every severity, every status',
    [{ repoId: unknownRepoId }, ...severityFilters, ...findingStatusFilters],
  ],
  prs: ['repoId, every status', [{ repoId: unknownRepoId }, ...prStatusFilters]],
};

const isPage = (exchange: Exchange) => onPage(exchange, () => null);

/**
 * The kind of body of each list, and the parameters that it accepts (contract, sections 2.4, 4.2 and 4.4).
 */
export const shapeChecks: readonly Check[] = [
  must(
    'repos.array',
    '2.4, 4.1',
    'repos: the body is a bare array',
    response(requestTo(operations.listConnectedRepos)),
    (exchange) =>
      exchange.response.status === 200 && Array.isArray(exchange.body)
        ? null
        : violation(exchange, '200 with an array', exchange.body),
  ),
  ...listNames.flatMap((name) => {
    const [description, queries] = filters[name];
    return [
      must(
        `${name}.page`,
        `${listSection[name]} rule 1`,
        `${name}: the body is a page with items`,
        response(listRequest(name)),
        isPage,
      ),
      must(
        `${name}.parameters`,
        listSection[name],
        `${name}: ${description}, page or limit up to ${maxLimit} are accepted`,
        responses(
          [...queries, { page: 1, limit: maxLimit }, { limit: 1 }].map((query) => listRequest(name, query)),
        ),
        isPage,
      ),
    ];
  }),
];

/** A resource of the contract, and where it is found. */
type Resource = Readonly<{
  id: string;
  section: string;
  prerequisite: string;
  codec: t.Mixed;
  /** The fields that the contract lists, for the resource itself and for the object in one of its fields. */
  fields: readonly (readonly [field: string | null, props: t.Props])[];
  values: Need<Located<unknown>>;
}>;

const findings = split(pages('findings'), ({ items }) => items);

const resources: readonly Resource[] = [
  {
    id: 'repos',
    section: '2.1',
    prerequisite: 'a connected repository',
    // The scan of a repository that was never scanned is left open.
    codec: LenientRepo,
    fields: [
      [null, LenientRepo.type.props],
      ['lastScan', LastScan.type.props],
    ],
    values: split(repoValues(), (values) => values),
  },
  {
    id: 'findings',
    section: '2.2',
    prerequisite: 'a finding',
    codec: Finding,
    // prCount in a list has a check of its own.
    fields: [[null, FindingDetail.type.props]],
    values: findings,
  },
  {
    id: 'finding',
    section: '2.2',
    prerequisite: 'a finding',
    codec: FindingDetail,
    fields: [[null, FindingDetail.type.props]],
    values: detailValues,
  },
  {
    id: 'prs',
    section: '2.3',
    prerequisite: 'a pull request',
    codec: Pr,
    fields: [
      [null, Pr.type.props],
      ['repo', PrRepo.type.props],
    ],
    values: split(pages('prs'), ({ items }) => items),
  },
];

/**
 * The ways in which a value can fail its codec: the kind, the id and the section of its check, the statement.
 */
const kinds: readonly (readonly [ValidationFailureKind, id: string, section: string | null, string])[] = [
  ['missing', 'fields', null, 'every field of the contract is present, including nullable ones'],
  ['type', 'types', null, 'every field has the type that the contract gives it'],
  ['null', 'nulls', null, 'null occurs only where the contract allows it or leaves it open'],
  ['timestamp', 'timestamps', '2', 'timestamps are ISO 8601, UTC, with exactly three decimals'],
  ['enum', 'words', null, 'severity and status have a value that the contract lists'],
];

/** Only findings have fields with enumerated values. */
const hasKind = (id: string, kind: ValidationFailureKind): boolean =>
  kind !== 'enum' || id === 'finding' || id === 'findings';

const codecChecks = ({ id, section, codec, values, prerequisite }: Resource): readonly Check[] =>
  kinds
    .filter(([kind]) => hasKind(id, kind))
    .map(([kind, suffix, ownSection, statement]) =>
      must(
        `${id}.${suffix}`,
        ownSection ?? section,
        `${id}: ${statement}`,
        values,
        (located): readonly Case[] => {
          const failures = validationFailures(codec, located.value).filter(
            (failure) => failure.kind === kind,
          );
          if (failures.length === 0) return [null];
          return failures.map(({ path, expected, got }) => violation(located, expected, got, ...path));
        },
        prerequisite,
      ),
    );

/** Additional fields break no client, and the contract neither allows nor forbids them. */
const additionalFields = ({ id, section, fields, values, prerequisite }: Resource): Check =>
  info(
    `${id}.no-further-fields`,
    section,
    `${id}: there are no fields other than those of the contract`,
    split(values, (value) => rowsOf([value])),
    (row) =>
      fields.flatMap(([field, props]) => {
        const value = field === null ? row.value : row.value[field];
        const path = field === null ? row.path : [...row.path, field];
        return isRow(value) ? hasOnlyFields({ ...row, value, path }, Object.keys(props)) : [];
      }),
    prerequisite,
  );

/** The fields of each resource (contract, section 2). */
export const resourceChecks: readonly Check[] = [
  ...resources.flatMap((resource) => [...codecChecks(resource), additionalFields(resource)]),
  must(
    'findings.no-pr-count',
    '2.2',
    'findings: items of the list have no prCount; only the detail has it',
    split(findings, (value) => rowsOf([value])),
    (row) =>
      Object.hasOwn(row.value, 'prCount')
        ? violation(row, 'no such field', row.value.prCount, 'prCount')
        : null,
    'a finding',
  ),
];
