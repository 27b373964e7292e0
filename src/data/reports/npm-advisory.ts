import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { idsIn, idsOf } from './advisory-ids.js';
import { type Entry, type Fix, finding } from './report.js';
import { decodeEntry, Line, leaveOut, usable, usableItems } from './usable.js';
import { fixFrom, lastVersion, upperBounds } from './version-ranges.js';

/** An advisory as the npm registry has it, in the reports of npm 6, pnpm and Yarn. */
const NpmAdvisory = t.type(
  {
    id: usable(t.union([t.number, Line])),
    module_name: usable(Line),
    github_advisory_id: usable(Line),
    cves: usableItems(Line),
    url: usable(Line),
    severity: usable(Line),
    vulnerable_versions: usable(Line),
    patched_versions: usable(Line),
    created: usable(Line),
    updated: usable(Line),
    deleted: usable(Line),
  },
  'advisory',
);

/** The first versions after the vulnerable ones, for reports that name no fixed ones; null if not known. */
export const fixAfter = (range: string): Fix | null => {
  const versions = upperBounds(range);
  if (versions.length > 0) return { kind: 'versions', versions };
  const last = lastVersion(range);
  return last === null ? null : { kind: 'range', range: `> ${last}` };
};

/** What becomes of an advisory of the npm registry. `name`: the package, if the advisory does not name it. */
export const npmAdvisoryEntry = (
  value: unknown,
  path: readonly (string | number)[],
  name?: string,
): Entry => {
  const decoded = decodeEntry(NpmAdvisory, value, path);
  if (E.isLeft(decoded)) return decoded;
  const { id, github_advisory_id, cves, url, vulnerable_versions, patched_versions, ...rest } = decoded.right;
  const packageName = rest.module_name ?? name;
  const ids = idsOf([
    github_advisory_id,
    ...idsIn(url ?? ''),
    ...cves,
    id === undefined ? undefined : String(id),
  ]);
  if (!Line.is(packageName)) return E.left(leaveOut('no-package', path));
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, packageName));
  if (rest.deleted !== undefined) return E.left(leaveOut('withdrawn', path, packageName));
  return E.right(
    finding({
      package: packageName,
      ids,
      ecosystem: 'npm',
      severity: rest.severity ?? null,
      vulnerableRange: vulnerable_versions ?? null,
      fix: patched_versions === undefined ? fixAfter(vulnerable_versions ?? '') : fixFrom(patched_versions),
      discoveredAt: rest.created ?? null,
      updatedAt: rest.updated ?? null,
    }),
  );
};
