import { UnknownRecord } from 'io-ts';
import { linkRows } from '../../fixtures/link-rows.js';
import { digest } from '../../fixtures/made-up-values.js';
import type { CollectedRows, Row } from './collect-rows.js';
import { type NamedRepo, namedRepos, textAt } from './named-repos.js';

/** What rows of a fixture file have, and builders do not need. */
export type RowIds = Readonly<{
  /** The id of a row; undefined for a pull request. */
  idOf: (row: Row) => string | undefined;
  /** The fields of a row, with a name if it is a repository. */
  fieldsOf: (row: Row) => unknown;
  /** With a seed, the repositories that rows name as text, because their ids depend on it. */
  unlistedRepos: readonly object[];
}>;

/**
 * Gives ids to rows without one, except to pull requests, to which no other row refers. Without a seed, they
 * are those of a fixture file with the same rows. What is completed follows from the ids, so that a seed
 * changes both.
 */
export const rowIds = (rows: CollectedRows['rows'], name: string, seed: number | undefined): RowIds => {
  const named = namedRepos(
    rows.repos.map(({ fields }) => fields),
    name,
  );
  const repos = new Map(named.map((each, i): [Row | undefined, NamedRepo] => [rows.repos[i], each]));
  /** The row as it would stand in a fixture file. */
  const written = (row: Row): unknown => {
    const repo = row.owner === null ? undefined : repos.get(row.owner)?.fullName;
    return repo !== undefined && UnknownRecord.is(row.fields) ? { repo, ...row.fields } : row.fields;
  };
  const links = linkRows(
    {
      repos: named.map(({ fields }) => fields),
      findings: rows.findings.map(written),
      scans: rows.scans.map(written),
    },
    name,
  );
  const made = (id: string): string =>
    seed === undefined ? id : `${id.slice(0, id.indexOf('_'))}_${digest(`${id}\n${seed}`)}`;
  const ids = new Map<Row, string>();
  for (const [list, linked] of [
    [rows.repos, links.repos],
    [rows.findings, links.findings],
    [rows.scans, links.scans],
  ] as const)
    for (const [i, row] of list.entries())
      ids.set(row, textAt(row.fields, 'id') ?? made(linked[i]?.id ?? ''));
  return {
    idOf: (row) => ids.get(row),
    fieldsOf: (row) => repos.get(row)?.fields ?? row.fields,
    unlistedRepos:
      seed === undefined
        ? []
        : links.repos
            .filter(({ index }) => index === null)
            .map(({ id, owner, repo }) => ({ id: made(id), owner, repo })),
  };
};
