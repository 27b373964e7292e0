import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { idsIn, idsOf } from '../advisory-ids.js';
import { statusOfAlert } from '../alert-status.js';
import { ecosystemFrom, ecosystemOfFile } from '../ecosystem.js';
import { type Found, findObjects } from '../find-objects.js';
import { isRepoName, repoNameFrom, unknownOwner } from '../repo-name.js';
import { type Entry, finding, type ReportFormat } from '../report.js';
import { decodeEntry, Line, leaveOut, usable, usableItems } from '../usable.js';

const Alert = t.type(
  {
    state: usable(Line),
    vulnerableManifestPath: usable(Line),
    vulnerableRequirements: usable(Line),
    createdAt: usable(Line),
    dismissedAt: usable(Line),
    autoDismissedAt: usable(Line),
    fixedAt: usable(Line),
    repository: usable(t.type({ nameWithOwner: Line })),
    dependabotUpdate: usable(t.type({ pullRequest: usable(t.type({ permalink: Line })) })),
    securityAdvisory: usable(
      t.type({ ghsaId: usable(Line), withdrawnAt: usable(Line), severity: usable(Line) }),
    ),
    securityVulnerability: t.type({
      severity: usable(Line),
      package: usable(t.type({ name: Line, ecosystem: usable(Line) })),
      firstPatchedVersion: t.unknown,
      vulnerableVersionRange: usable(Line),
      advisory: usable(
        t.type({
          ghsaId: usable(Line),
          withdrawnAt: usable(Line),
          identifiers: usableItems(t.type({ value: Line })),
          references: usableItems(t.type({ url: Line })),
        }),
      ),
    }),
  },
  'Dependabot alert',
);

const Patched = t.type({ identifier: Line });

const isAlert = (value: Readonly<Record<string, unknown>>): boolean => 'securityVulnerability' in value;

const hasAlerts = (value: Readonly<Record<string, unknown>>): boolean => 'vulnerabilityAlerts' in value;

const Named = t.type({ nameWithOwner: t.string });
const NamedByOwner = t.type({ name: t.string, owner: t.type({ login: t.string }) });
const NamedWithAlerts = t.type({ name: t.string, vulnerabilityAlerts: t.unknown });
const Owner = t.type({ login: t.string });

/** The repository of the innermost object around an alert that names one. */
const repoAround = (ancestors: readonly unknown[]): string | null => {
  const owner = ancestors.findLast(Owner.is)?.login ?? '';
  const names = ancestors.flatMap((each) => {
    if (Named.is(each)) return each.nameWithOwner;
    if (NamedByOwner.is(each)) return `${each.owner.login}/${each.name}`;
    return NamedWithAlerts.is(each) ? `${owner || unknownOwner}/${each.name}` : [];
  });
  return names.findLast(isRepoName) ?? null;
};

const repoOfPullRequest = (permalink: string | undefined): string | null => {
  const [, repo] = /^(https:\/\/[^/]+\/[^/]+\/[^/]+)\/pull\/\d+$/.exec(permalink ?? '') ?? [];
  return repo === undefined ? null : repoNameFrom(repo);
};

const entryOf = ({ value, path, ancestors }: Found): Entry => {
  const decoded = decodeEntry(Alert, value, path);
  if (E.isLeft(decoded)) return decoded;
  const { securityVulnerability: vulnerability, ...alert } = decoded.right;
  const { package: named, advisory } = vulnerability;
  const identifiers = (advisory?.identifiers ?? []).map((each) => each.value);
  const known = idsOf([advisory?.ghsaId, alert.securityAdvisory?.ghsaId, ...identifiers]);
  // A query may ask for the references of an advisory and not for its ids.
  const ids = known.length > 0 ? known : idsOf((advisory?.references ?? []).flatMap(({ url }) => idsIn(url)));
  if (named === undefined) return E.left(leaveOut('no-package', path));
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, named.name));
  if ((advisory?.withdrawnAt ?? alert.securityAdvisory?.withdrawnAt) !== undefined)
    return E.left(leaveOut('withdrawn', path, named.name));
  const permalink = alert.dependabotUpdate?.pullRequest?.permalink;
  const patched = Patched.decode(vulnerability.firstPatchedVersion);
  return E.right(
    finding({
      repo:
        alert.repository === undefined
          ? (repoAround(ancestors) ?? repoOfPullRequest(permalink))
          : repoNameFrom(alert.repository.nameWithOwner),
      package: named.name,
      ids,
      ecosystem:
        named.ecosystem === undefined
          ? ecosystemOfFile(alert.vulnerableManifestPath ?? '')
          : ecosystemFrom(named.ecosystem),
      severity: vulnerability.severity ?? alert.securityAdvisory?.severity ?? null,
      vulnerableRange: vulnerability.vulnerableVersionRange ?? null,
      fix: E.isRight(patched)
        ? { kind: 'versions', versions: [patched.right.identifier] }
        : vulnerability.firstPatchedVersion === null
          ? { kind: 'none' }
          : null,
      installed: /^=\s*([\w.+:~-]+)$/.exec(alert.vulnerableRequirements ?? '')?.[1] ?? null,
      status: stateOf(alert),
      discoveredAt: alert.createdAt ?? null,
      resolvedAt: alert.fixedAt ?? alert.dismissedAt ?? alert.autoDismissedAt ?? null,
      prUrl: permalink ?? null,
    }),
  );
};

/** A query may ask for the dates of an alert and not for its state. */
const stateOf = (alert: Omit<t.TypeOf<typeof Alert>, 'securityVulnerability'>) => {
  const isSettled = (alert.fixedAt ?? alert.dismissedAt ?? alert.autoDismissedAt) !== undefined;
  return statusOfAlert(alert.state ?? (isSettled ? 'fixed' : 'open'));
};

/** The repositories that a response lists, with or without alerts. */
const reposOf = (document: unknown): readonly string[] =>
  findObjects(document, hasAlerts).flatMap(({ value, ancestors }) => repoAround([...ancestors, value]) ?? []);

/** `vulnerabilityAlerts` of GitHub's GraphQL API, in whatever form the query asked for them. */
export const dependabotGraphql: ReportFormat = {
  name: 'Dependabot alerts (GraphQL API)',
  recognizes: (document) => findObjects(document, (value) => isAlert(value) || hasAlerts(value)).length > 0,
  isLines: false,
  convert: (document) => ({
    repos: reposOf(document),
    scannedAt: null,
    entries: findObjects(document, isAlert).map(entryOf),
  }),
};
