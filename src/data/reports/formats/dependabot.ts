import { advisoryIds } from '../advisory-texts.js';
import { ecosystemFrom, ecosystemOfFile, repoNameFrom, repoNameOf } from '../package-and-repo-names.js';
import { type Fix, idsOf, ofObject, Part, type ReportFormat } from '../report.js';

/** A part under its name in the REST API, such as `fixed_at`, or in the GraphQL API, such as `fixedAt`. */
const either = (part: Part, key: string): Part =>
  part.has(key) ? part.at(key) : part.at(key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));

const textIn = (part: Part, key: string): string | null => either(part, key).text();

/** The first fixed version. Null in its place says that there is none. */
const fixOf = (patched: Part): Fix | null => {
  const version = patched.text() ?? patched.text('identifier');
  if (version !== null) return [version];
  return patched.value === null ? [] : null;
};

/** The repository that an alert names, itself or in its address. */
const repoOf = (alert: Part): string | null => {
  const name = alert.text('repository', 'full_name') ?? alert.text('repository', 'nameWithOwner');
  const address = alert.text('html_url') ?? alert.text('url') ?? '';
  const [, path = null] = /^https:\/\/[^/]+\/(?:api\/v3\/)?(?:repos\/)?([^/]+\/[^/]+)\//.exec(address) ?? [];
  return repoNameFrom(name ?? path);
};

const resolvedStates = ['fixed', 'dismissed', 'auto_dismissed'];

/** An alert of either API. `repo`: the repository of an alert that names none. */
const alertEntry = (repo: string | null) =>
  ofObject('Dependabot alert', (alert) => {
    const vulnerability = either(alert, 'security_vulnerability');
    const advisories = [vulnerability.at('advisory'), either(alert, 'security_advisory')];
    const ids = ['ghsa_id', 'cve_id'].flatMap((key) => advisories.map((advisory) => textIn(advisory, key)));
    const identifiers = advisories.flatMap((advisory) => advisory.texts('identifiers', '*', 'value'));
    const known = idsOf([...ids, ...identifiers]);
    // A query may ask for the references of an advisory and not for its ids.
    const references = vulnerability.texts('advisory', 'references', '*', 'url');
    const packages = [vulnerability.at('package'), alert.at('dependency', 'package')];
    const named = packages.find((each) => each.text('name') !== null) ?? new Part(null);
    const prUrl = alert.text('dependabotUpdate', 'pullRequest', 'permalink');
    const resolvedAt =
      textIn(alert, 'fixed_at') ?? textIn(alert, 'dismissed_at') ?? textIn(alert, 'auto_dismissed_at');
    // A dismissed alert is as settled as a fixed one. A query may ask for the dates and not for the state.
    const state = alert.text('state')?.toLowerCase() ?? (resolvedAt === null ? 'open' : 'fixed');
    return alert.finding({
      repo: repoOf(alert) ?? repo ?? repoNameFrom(prUrl),
      package: named.text('name'),
      ids: known.length > 0 ? known : references.flatMap(advisoryIds),
      ecosystem:
        ecosystemFrom(named.text('ecosystem')) ?? ecosystemOfFile(alert.text('vulnerableManifestPath') ?? ''),
      severity: vulnerability.text('severity') ?? textIn(either(alert, 'security_advisory'), 'severity'),
      vulnerableRange: textIn(vulnerability, 'vulnerable_version_range'),
      fix: fixOf(either(vulnerability, 'first_patched_version')),
      installed: /^=\s*([\w.+:~-]+)$/.exec(alert.text('vulnerableRequirements') ?? '')?.[1] ?? null,
      status: resolvedStates.includes(state) ? 'resolved' : 'pending',
      discoveredAt: textIn(alert, 'created_at'),
      updatedAt: textIn(alert, 'updated_at'),
      resolvedAt,
      prUrl,
      excluded: advisories.some((advisory) => textIn(advisory, 'withdrawn_at') !== null) && 'withdrawn',
    });
  });

const isAlert = (value: Part): boolean =>
  value.has('security_advisory') && (value.has('security_vulnerability') || value.has('dependency'));

/** The alerts of a document, which may be a list of pages, as `gh api --paginate --slurp` writes it. */
const alertsOf = (document: Part): readonly Part[] => {
  const alert = document.at('alert');
  if (!document.isList) return [alert.isObject ? alert : document];
  return document.items().flatMap((item) => (item.isList ? item.items() : [item]));
};

/**
 * Dependabot alerts of GitHub's REST API: a list, a single one, or the payload of a webhook. An empty list is
 * what the API answers for a repository without alerts.
 */
export const dependabot: ReportFormat = {
  name: 'Dependabot alerts (REST API or webhook)',
  recognizes: (document) =>
    alertsOf(document).some(isAlert) || (document.isList && alertsOf(document).length === 0),
  entries: (document) => {
    const repo = repoNameFrom(document.text('repository', 'full_name'));
    return alertsOf(document).flatMap(alertEntry(repo));
  },
};

/** Responses nest less deeply than this. */
const maxDepth = 16;

/** The outermost objects in a part that have one of the keys, each after the objects around it. */
const objectsWith = (keys: readonly string[], ...parts: readonly Part[]): readonly (readonly Part[])[] => {
  const part = parts.at(-1) ?? new Part(null);
  if (keys.some((key) => part.has(key))) return [parts];
  if (parts.length > maxDepth) return [];
  return [...part.items(), ...part.fields()].flatMap((inner) => objectsWith(keys, ...parts, inner));
};

/** The repository that the innermost of these objects names, if one does. */
const repoIn = (around: readonly Part[]): string | null => {
  const owner = around.flatMap((each) => each.text('login') ?? []).at(-1);
  const names = around.flatMap((each) => {
    const [name, login] = [each.text('name'), each.text('owner', 'login')];
    const isRepo = login !== null || each.has('vulnerabilityAlerts');
    const named = isRepo && name !== null ? repoNameOf([login ?? owner ?? '', name]) : null;
    return repoNameFrom(each.text('nameWithOwner')) ?? named ?? [];
  });
  return names.at(-1) ?? null;
};

/** `vulnerabilityAlerts` of GitHub's GraphQL API, in whatever form the query asked for them. */
export const dependabotGraphql: ReportFormat = {
  name: 'Dependabot alerts (GraphQL API)',
  recognizes: (document) =>
    objectsWith(['securityVulnerability', 'vulnerabilityAlerts'], document).length > 0,
  entries: (document) =>
    objectsWith(['securityVulnerability'], document).flatMap((parts) =>
      parts.slice(-1).flatMap(alertEntry(repoIn(parts))),
    ),
  repos: (document) => objectsWith(['vulnerabilityAlerts'], document).map(repoIn),
};
