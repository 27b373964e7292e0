import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { idsIn, idsOf } from '../advisory-ids.js';
import { repoNameFrom } from '../repo-name.js';
import { type ConvertedReport, type Entry, finding, type ReportFormat } from '../report.js';
import { fixedVersionsOf, packageOfResult } from '../sarif-package.js';
import { SarifResult, SarifRule } from '../sarif-result.js';
import { severityFrom, worstSeverity } from '../severity.js';
import { decodeEntry, Items, Line, leaveOut, usable, usableItems } from '../usable.js';
import { fixFrom } from '../version-ranges.js';

const Report = t.type({ runs: t.UnknownArray });

/** A run has a rule for each advisory. */
const Rules = usableItems(SarifRule, Number.POSITIVE_INFINITY);

const Run = t.type(
  {
    tool: usable(
      t.type({
        driver: usable(t.type({ rules: Rules })),
        extensions: usableItems(t.type({ rules: Rules })),
      }),
    ),
    versionControlProvenance: usableItems(t.type({ repositoryUri: Line })),
    invocations: usableItems(t.type({ startTimeUtc: usable(Line), endTimeUtc: usable(Line) })),
    properties: usable(t.type({ imageName: usable(Line) })),
    results: Items,
  },
  'run',
);
type Run = t.TypeOf<typeof Run>;

const recognizes = (document: unknown): boolean =>
  Report.is(document) &&
  ('$schema' in document || 'version' in document) &&
  (document.runs.length === 0 ||
    document.runs.some((run) => t.type({ tool: t.unknown }).is(run) && 'tool' in run));

/** A result that passed, or that is no longer there, is no finding. */
const passed = ['pass', 'notApplicable', 'informational'];

const severityOf = (result: SarifResult, rule: SarifRule | undefined): string | null => {
  const [own, ofRule] = [result.properties, rule?.properties].map(
    (properties) => properties?.['security-severity'] ?? properties?.cvssv3_baseScore,
  );
  const score = own ?? ofRule;
  if (score !== undefined) return String(score);
  const tags = (rule?.properties?.tags ?? []).filter((tag) => severityFrom(tag)?.isApproximate === false);
  return worstSeverity(tags) ?? result.level ?? rule?.defaultConfiguration?.level ?? null;
};

/** A rule, and the fixed versions that it lists, which are read once for all of its results. */
type PreparedRule = Readonly<{ rule: SarifRule; fixedVersions: ReadonlyMap<string, string> }>;

const entryOf = (
  value: unknown,
  path: readonly (string | number)[],
  ruleOf: (result: SarifResult) => PreparedRule | undefined,
): Entry => {
  const decoded = decodeEntry(SarifResult, value, path);
  if (E.isLeft(decoded)) return decoded;
  const result = decoded.right;
  const { rule, fixedVersions = new Map<string, string>() } = ruleOf(result) ?? {};
  const ruleId = result.ruleId ?? result.rule?.id ?? rule?.id;
  if (result.kind !== undefined && passed.includes(result.kind))
    return E.left(leaveOut('not-affected', path, ruleId));
  const found = packageOfResult(result, rule, fixedVersions);
  if (found === null) return E.left(leaveOut('no-package', path, ruleId));
  // Grype appends the name of the package to the id of the advisory.
  const inRuleId = idsIn(ruleId ?? '');
  const ids = idsOf([
    ...(inRuleId.length > 0 ? inRuleId : [ruleId]),
    ...(rule?.deprecatedIds ?? []),
    ...found.ids,
  ]);
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, found.name));
  const isSettled = result.suppressions.length > 0 || result.baselineState === 'absent';
  return E.right(
    finding({
      package: found.name,
      ids,
      ecosystem: found.ecosystem,
      severity: severityOf(result, rule),
      fix: found.fixed === null ? null : fixFrom(found.fixed),
      installed: found.installed,
      status: isSettled ? 'resolved' : 'pending',
    }),
  );
};

const entriesOf = (run: Run, number: number): readonly Entry[] => {
  const rules = [
    ...(run.tool?.driver?.rules ?? []),
    ...(run.tool?.extensions ?? []).flatMap((extension) => extension.rules),
  ];
  const byId = new Map(rules.map((rule) => [rule.id, { rule, fixedVersions: fixedVersionsOf(rule) }]));
  const ruleOf = ({ ruleId, rule }: SarifResult): PreparedRule | undefined =>
    byId.get(ruleId ?? rule?.id ?? '');
  return run.results.map((each, index) => entryOf(each, ['runs', number, 'results', index], ruleOf));
};

const repoOf = ({ versionControlProvenance, properties }: Run): string | null =>
  repoNameFrom(versionControlProvenance[0]?.repositoryUri ?? properties?.imageName ?? '');

/** The entries of a run, in the repository that the run names. */
const entriesIn = (run: Run, number: number): readonly Entry[] =>
  entriesOf(run, number).map(E.map((found) => ({ ...found, repo: repoOf(run) })));

const convertedReport = (document: unknown): ConvertedReport => {
  const runs = (Report.is(document) ? document.runs : []).map((run, index) =>
    decodeEntry(Run, run, ['runs', index]),
  );
  const decoded = runs.flatMap((run) => (E.isRight(run) ? [run.right] : []));
  const invocation = decoded[0]?.invocations[0];
  return {
    repos: decoded.flatMap((run) => repoOf(run) ?? []),
    scannedAt: invocation?.endTimeUtc ?? invocation?.startTimeUtc ?? null,
    entries: runs.flatMap((run, index): readonly Entry[] =>
      E.isRight(run) ? entriesIn(run.right, index) : [run],
    ),
  };
};

/** SARIF of scanners of dependencies. An entry is a result. */
export const sarif: ReportFormat = { name: 'SARIF', recognizes, isLines: false, convert: convertedReport };
