import { groupBy } from '../../common/sort-and-group.js';
import type { Severity } from '../../contract/enums.js';
import { published } from './published.js';

/** An affected range of a published advisory, in the words of a finding (contract, section 2.2). */
export type Advisory = Readonly<{
  advisoryId: string;
  cve: string;
  package: string;
  ecosystem: string;
  vulnerableRange: string;
  fixedRange: string;
  /** The first version that is not affected. */
  fixedVersion: string;
  severity: Severity;
  /** The day on which the advisory was published, such as "2021-05-06". */
  publishedOn: string;
}>;

/** Published advisories of well-known packages, by advisory, package and range. */
export const advisories: readonly Advisory[] = published.map(
  ([advisoryId, cve, ecosystem, name, introduced, fixed, severity, publishedOn]) => ({
    advisoryId,
    cve,
    package: name,
    ecosystem,
    vulnerableRange: introduced === null ? `< ${fixed}` : `>= ${introduced}, < ${fixed}`,
    fixedRange: `>= ${fixed}`,
    fixedVersion: fixed,
    severity,
    publishedOn,
  }),
);

const byPackage = groupBy(advisories, (advisory) => advisory.package);

/** The advisories for a package of this name; none if it is not a well-known one. */
export const advisoriesFor = (name: string): readonly Advisory[] => byPackage.get(name) ?? [];
