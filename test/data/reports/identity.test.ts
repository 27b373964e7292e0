import test from 'ava';
import fc from 'fast-check';
import { runs } from '../../_runs.js';
import { imported } from './_imported.js';

/** An entry about one package: its id, other names of the same, and what is about many vulnerabilities. */
type Entry = Readonly<{
  id: string;
  aliases: readonly string[];
  bulletins: readonly string[];
  prose: string;
}>;

/** Reports of entries about one package, with aliases and bulletins where a format has fields for them. */
const formats: Readonly<Record<string, (entries: readonly Entry[]) => unknown>> = {
  Trivy: (entries) => {
    const Vulnerabilities = entries.map(({ id, bulletins, prose }) => {
      const text = { VulnerabilityID: id, VendorIDs: bulletins, Description: prose };
      return { ...text, PkgName: 'alpha', InstalledVersion: '1.0.0', FixedVersion: '1.2.3' };
    });
    const Results = [{ Target: 'a (debian 12)', Type: 'debian', Vulnerabilities }];
    return { SchemaVersion: 2, ArtifactName: 'web', Results };
  },
  Grype: (entries) => ({
    matches: entries.map(({ id, aliases, bulletins }) => ({
      vulnerability: { id },
      relatedVulnerabilities: [...aliases, ...bulletins].map((other) => ({ id: other })),
      artifact: { name: 'alpha', version: '1.0.0', type: 'deb' },
    })),
  }),
  'OSV advisories': (entries) =>
    entries.map(({ id, aliases, bulletins, prose }) => {
      const affected = [{ package: { ecosystem: 'PyPI', name: 'alpha' } }];
      const text = { id, aliases: [...aliases, ...bulletins], details: prose };
      return { ...text, modified: '2026-01-01T00:00:00Z', affected };
    }),
  'snyk test': (entries) => {
    const vulnerabilities = entries.map(({ id, aliases, prose }) => {
      const text = { id, identifiers: { CVE: aliases }, description: prose };
      return { ...text, packageName: 'alpha', version: '1.0.0' };
    });
    return { ok: false, dependencyCount: 1, vulnerabilities };
  },
  'pip-audit': (entries) => {
    const vulns = entries.map((each) => ({ ...each, description: each.prose }));
    return { dependencies: [{ name: 'alpha', version: '1', vulns }] };
  },
  SARIF: (entries) => {
    const rules = entries.map(({ id, aliases }) => ({ id, deprecatedIds: aliases }));
    const results = entries.map(({ id, prose }, ruleIndex) => {
      return { ruleId: id, ruleIndex, message: { text: `Package: alpha\n${prose}` } };
    });
    return { version: '2.1.0', runs: [{ tool: { driver: { rules } }, results }] };
  },
};

const withoutAliases = ['Trivy'];

const cves = ['CVE-2026-10001', 'CVE-2026-10002'];
const ids = [...cves, 'GHSA-aaaa-bbbb-cccc', 'PYSEC-2026-1', 'RUSTSEC-2026-0001', 'SNYK-JS-A-1'];

const entries: fc.Arbitrary<readonly Entry[]> = fc.shuffledSubarray(ids, { minLength: 2 }).chain((own) =>
  fc.tuple(
    ...own.map((id, index) =>
      fc.record({
        id: fc.constant(id),
        aliases: fc
          .option(fc.constantFrom(...own, `CVE-2026-2000${index}`))
          .map((alias) => (alias ? [alias] : [])),
        bulletins: fc.subarray(['DSA-9001-1', 'RHSA-2026:1', 'ELSA-2026-1', 'ALAS2-2026-1', 'USN-1-1']),
        prose: fc.constantFrom('', ...ids.map((other) => `unlike ${other}`)),
      }),
    ),
  ),
);

/** How many vulnerabilities there are, if those are the same of which one is an alias of the other. */
const countOf = (all: readonly Entry[]): number => {
  const groups: Set<string>[] = [];
  for (const { id, aliases } of all) {
    const names = new Set([id, ...aliases]);
    for (const group of groups.filter((each) => [...each].some((name) => names.has(name)))) {
      for (const name of group) names.add(name);
      groups.splice(groups.indexOf(group), 1);
    }
    groups.push(names);
  }
  return groups.length;
};

for (const [name, report] of Object.entries(formats))
  test(`entries are one finding only if the file names one as an alias of the other: ${name}`, (t) => {
    t.notThrows(() =>
      fc.assert(
        fc.property(entries, (all) => {
          const own = all.map((each) => (withoutAliases.includes(name) ? { ...each, aliases: [] } : each));
          return imported({ file: 'a.json', content: report(own) }).summary.total.findings === countOf(own);
        }),
        runs(100),
      ),
    );
  });
