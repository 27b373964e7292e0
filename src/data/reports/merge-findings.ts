import { groupBy } from '../../common/sort-and-group.js';
import { advisories } from '../advisories/advisories.js';
import type { ReportFinding } from './report.js';

/** A finding of a report, with the repository it is in and the number of the file it is from. */
export type PlacedFinding = Readonly<{ repo: string; file: number; found: ReportFinding }>;

/** Findings of the same advisory, package and repository, in the order in which they were read. */
export type SameFinding = readonly [PlacedFinding, ...PlacedFinding[]];

/** Registries whose package names are compared without regard to case. */
const ignoringCase = ['PyPI', 'NuGet'];

const nameOf = (name: string, ecosystem: string): string =>
  ignoringCase.includes(ecosystem) ? name.toLowerCase().replaceAll('_', '-') : name;

/** The other id of each published advisory: two tools may name it by different ones. */
const published: ReadonlyMap<string, string> = new Map(
  advisories.flatMap(({ advisoryId, cve }) => [
    [advisoryId, cve],
    [cve, advisoryId],
  ]),
);

/** The ecosystem of a finding that names none: that of the same package in the same repository. */
const ecosystemsOf = (findings: readonly PlacedFinding[]): ((finding: PlacedFinding) => string) => {
  const known = groupBy(
    findings.filter(({ found }) => found.ecosystem !== null),
    ({ repo, found }) => JSON.stringify([repo, found.package]),
  );
  return ({ repo, found }) =>
    found.ecosystem ?? known.get(JSON.stringify([repo, found.package]))?.[0]?.found.ecosystem ?? '';
};

/**
 * Puts findings together that are the same one: in the same repository and package, with an id of the
 * advisory in common, or with two ids that another finding or a published advisory has both of. Takes time in
 * proportion to the number of ids.
 */
export const mergeFindings = (findings: readonly PlacedFinding[]): readonly SameFinding[] => {
  const ecosystemOf = ecosystemsOf(findings);
  /** For each finding an earlier one that is the same, or itself. */
  const leaders = findings.map((_, index) => index);
  const leaderOf = (index: number): number => {
    let at = index;
    while (leaders[at] !== at) {
      // Shortens the way for the next time.
      leaders[at] = leaders[leaders[at] ?? at] ?? at;
      at = leaders[at] ?? at;
    }
    return at;
  };
  const byId = new Map<string, number>();
  for (const [index, placed] of findings.entries()) {
    const { ids, package: name } = placed.found;
    const ecosystem = ecosystemOf(placed);
    for (const id of ids.flatMap((each) => [each, published.get(each) ?? each])) {
      const key = JSON.stringify([
        placed.repo.toLowerCase(),
        ecosystem,
        nameOf(name, ecosystem),
        id.toLowerCase(),
      ]);
      const [left, right] = [leaderOf(byId.get(key) ?? index), leaderOf(index)];
      leaders[Math.max(left, right)] = Math.min(left, right);
      byId.set(key, Math.min(left, right));
    }
  }
  return Array.from(groupBy(findings.entries(), ([index]) => leaderOf(index)).values()).flatMap((group) => {
    const [first, ...rest] = group.map(([, placed]) => placed);
    return first === undefined ? [] : [[first, ...rest] as const];
  });
};
