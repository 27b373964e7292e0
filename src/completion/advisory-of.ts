import { type Advisory, advisories, advisoriesFor } from '../advisories/advisories.js';
import { groupBy } from '../common/group-by.js';
import type { Severity } from '../contract/enums.js';
import { type Chance, chanceOf, digest, pick } from './digest.js';
import type { SparseFinding } from './sparse-codecs.js';
import { fixedRangeFor, madeUpVersion, vulnerableRangeFor } from './versions.js';

/** What a finding says about its advisory. */
export type AdvisoryFacts = Readonly<{
  advisoryId: string;
  package: string;
  ecosystem: string;
  vulnerableRange: string;
  fixedRange: string;
  severity: Severity;
}>;

/** The facts that the finding gives, completed by a published advisory that they fit, or else made up. */
export const advisoryFacts = (finding: SparseFinding, chance: Chance): AdvisoryFacts => {
  const advisory = published(finding, chance);
  const otherwise = advisory ?? madeUp(finding);
  // A range alone tells more about the other one than any advisory with another range.
  const { vulnerableRange, fixedRange } =
    advisory !== undefined && hasRanges(advisory, finding) ? advisory : rangesOf(finding, otherwise);
  return {
    advisoryId: finding.advisoryId ?? otherwise.advisoryId,
    package: finding.package ?? otherwise.package,
    ecosystem: finding.ecosystem ?? otherwise.ecosystem,
    vulnerableRange: finding.vulnerableRange ?? vulnerableRange,
    fixedRange: finding.fixedRange ?? fixedRange,
    severity: finding.severity ?? otherwise.severity,
  };
};

type Ranges = Pick<AdvisoryFacts, 'vulnerableRange' | 'fixedRange'>;

const hasRanges = (advisory: Ranges, { vulnerableRange, fixedRange }: SparseFinding): boolean =>
  (vulnerableRange === undefined || vulnerableRange === advisory.vulnerableRange) &&
  (fixedRange === undefined || fixedRange === advisory.fixedRange);

const rangesOf = ({ vulnerableRange, fixedRange }: SparseFinding, otherwise: Ranges): Ranges => ({
  vulnerableRange:
    (fixedRange === undefined ? undefined : vulnerableRangeFor(fixedRange)) ?? otherwise.vulnerableRange,
  fixedRange:
    (vulnerableRange === undefined ? undefined : fixedRangeFor(vulnerableRange)) ?? otherwise.fixedRange,
});

/** Registries whose package names are compared without regard to case. */
const ignoringCase = new Set(['PyPI', 'NuGet']);
const byLowerCase = groupBy(
  advisories.filter(({ ecosystem }) => ignoringCase.has(ecosystem)),
  (advisory) => advisory.package.toLowerCase(),
);

const advisoriesOf = (name: string): readonly Advisory[] => {
  const exact = advisoriesFor(name);
  return exact.length > 0 ? exact : (byLowerCase.get(name.toLowerCase()) ?? []);
};

/**
 * A published advisory that has the package, the ecosystem and the id which the finding gives, and if
 * possible its ranges and its severity. A package that is not given may be any with that severity.
 */
const published = (finding: SparseFinding, chance: Chance): Advisory | undefined => {
  const { advisoryId, ecosystem, severity } = finding;
  const fitting = (finding.package === undefined ? advisories : advisoriesOf(finding.package)).filter(
    (advisory) =>
      (ecosystem === undefined || sameText(ecosystem, advisory.ecosystem)) &&
      (advisoryId === undefined || advisoryId === advisory.advisoryId || advisoryId === advisory.cve),
  );
  const withRanges = preferred(fitting, (advisory) => hasRanges(advisory, finding));
  const sameSeverity = withRanges.filter(
    (advisory) => severity === undefined || advisory.severity === severity,
  );
  if (finding.package === undefined && advisoryId === undefined)
    return pick(sameSeverity, chance('advisory'));
  return pick(sameSeverity.length > 0 ? sameSeverity : withRanges, chance('advisory'));
};

/** The lengths first: a text may be very long. */
const sameText = (left: string, right: string): boolean =>
  left.length === right.length && left.toLowerCase() === right.toLowerCase();

const preferred = <A>(items: readonly A[], isPreferred: (item: A) => boolean): readonly A[] => {
  const found = items.filter(isPreferred);
  return found.length > 0 ? found : items;
};

/** The alphabet of the ids of the GitHub Advisory Database. */
const alphabet = '23456789cfghjmpqrvwx';

/** Facts that look like an advisory. The same package has the same ones in each repository. */
const madeUp = (finding: SparseFinding): AdvisoryFacts => {
  const name = finding.package ?? 'left-pad';
  const ecosystem = finding.ecosystem ?? ecosystemOf(name);
  const seed = digest(JSON.stringify([name, ecosystem, finding.severity ?? null]));
  const chance = chanceOf(seed);
  const fixed = madeUpVersion(chance);
  return {
    advisoryId: advisoryIdOf(chance),
    package: name,
    ecosystem,
    vulnerableRange: `< ${fixed}`,
    fixedRange: `>= ${fixed}`,
    severity: severityOf(chance('severity')),
  };
};

const advisoryIdOf = (chance: Chance): string => {
  const characters = Array.from(
    { length: 12 },
    (_, i) => pick(Array.from(alphabet), chance(`id ${i}`)) ?? '2',
  );
  return `GHSA-${characters.slice(0, 4).join('')}-${characters.slice(4, 8).join('')}-${characters.slice(8).join('')}`;
};

/** The shares are about those of the GitHub Advisory Database. */
const severityOf = (fraction: number): Severity =>
  fraction < 0.12 ? 'critical' : fraction < 0.46 ? 'high' : fraction < 0.88 ? 'medium' : 'low';

const ecosystems: readonly (readonly [shape: RegExp, ecosystem: string])[] = [
  [/^@[^/]+\/[^/]+$/, 'npm'],
  [/^[\w.-]+:[\w.-]+$/, 'Maven'],
  [/^[\w-]+(?:\.[\w-]+)+\//, 'Go'],
  [/^[\w.-]+\/[\w.-]+$/, 'Packagist'],
  [/^[A-Z]\w*(?:\.[A-Z]\w*)+$/, 'NuGet'],
];

/** What a name looks like; npm if it could be of several. */
const ecosystemOf = (name: string): string => {
  const start = name.slice(0, 300);
  return ecosystems.find(([shape]) => shape.test(start))?.[1] ?? 'npm';
};
