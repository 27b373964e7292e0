import type * as t from 'io-ts';
import { Finding, FindingDetail } from '../../../contract/finding.js';
import { LenientRepo } from '../../../contract/lenient.js';
import { Pr, PrRepo } from '../../../contract/pr.js';
import { LastScan } from '../../../contract/repo.js';
import { hasOnlyFields, violation } from '../cases.js';
import { type Check, info, must } from '../check.js';
import { isRow, type Located, rowsOf } from '../json-rows.js';
import { pages } from '../list-needs.js';
import { type Need, split } from '../need.js';
import { repoValues } from '../request-needs.js';
import type { Case } from '../verdict.js';
import { detailValues } from './sampled-details.js';
import { type ValidationFailureKind, validationFailures } from './validation-failures.js';

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
