import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import type { FindingStatus } from '../../../contract/enums.js';
import { idsIn, idsOf } from '../advisory-texts.js';
import {
  ecosystemFrom,
  ecosystemOfFile,
  isRepoName,
  repoNameFrom,
  unknownOwner,
} from '../package-and-repo-names.js';
import {
  decodeEntry,
  type Entry,
  finding,
  Line,
  leaveOut,
  type ReportFormat,
  usable,
  usableItems,
} from '../report.js';

const resolvedStates = ['fixed', 'dismissed', 'auto_dismissed'];

/**
 * The lifecycle status of a Dependabot alert: an alert that somebody or a rule has dismissed is as settled as
 * a fixed one. Anything else is open.
 */
const statusOfAlert = (state: string | undefined): FindingStatus =>
  resolvedStates.includes((state ?? '').toLowerCase()) ? 'resolved' : 'pending';

type JsonObject = Readonly<Record<string, unknown>>;

/** An object inside a document. */
type Found = Readonly<{
  value: JsonObject;
  path: readonly string[];
  /** The values around it, the outermost first. */
  ancestors: readonly unknown[];
}>;

/** Responses nest less deeply than this. */
const maxDepth = 16;

/**
 * The objects in a document that fulfil a condition, in their order. It does not look for further ones inside
 * of them, nor below a depth that no response has.
 */
const findObjects = (document: unknown, condition: (value: JsonObject) => boolean): readonly Found[] => {
  const found: Found[] = [];
  const visit = (value: unknown, path: readonly string[], ancestors: readonly unknown[]): void => {
    if (t.UnknownRecord.is(value) && condition(value)) {
      found.push({ value, path, ancestors });
      return;
    }
    if (path.length >= maxDepth || (!t.UnknownRecord.is(value) && !Array.isArray(value))) return;
    const around = [...ancestors, value];
    for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key], around);
  };
  visit(document, [], []);
  return found;
};

const Package = usable(t.type({ name: Line, ecosystem: usable(Line) }));

const Vulnerability = t.type({
  package: Package,
  severity: usable(Line),
  vulnerable_version_range: usable(Line),
  first_patched_version: t.unknown,
});

/** The fixed version, as both APIs have it. */
const PatchedVersion = t.type({ identifier: Line });

const Patched = t.union([Line, PatchedVersion]);

const Alert = t.type(
  {
    state: usable(Line),
    dependency: usable(t.type({ package: Package })),
    security_advisory: usable(
      t.type({
        ghsa_id: usable(Line),
        cve_id: usable(Line),
        identifiers: usableItems(t.type({ value: Line })),
        severity: usable(Line),
        withdrawn_at: usable(Line),
      }),
    ),
    security_vulnerability: usable(Vulnerability),
    html_url: usable(Line),
    url: usable(Line),
    created_at: usable(Line),
    updated_at: usable(Line),
    fixed_at: usable(Line),
    dismissed_at: usable(Line),
    auto_dismissed_at: usable(Line),
    repository: usable(t.type({ full_name: Line })),
  },
  'Dependabot alert',
);
type Alert = t.TypeOf<typeof Alert>;

const isAlert = (value: unknown): boolean =>
  t.UnknownRecord.is(value) &&
  'security_advisory' in value &&
  ('security_vulnerability' in value || 'dependency' in value);

const Webhook = t.type({ alert: t.UnknownRecord });

const Repository = t.type({ repository: t.type({ full_name: Line }) });

/** The repository that an alert names, itself or in its address. */
const repoOf = ({ repository, html_url, url }: Alert): string | null => {
  const [, path = ''] =
    /^https:\/\/[^/]+\/(?:api\/v3\/)?(?:repos\/)?([^/]+\/[^/]+)\/(?:security\/)?dependabot\//.exec(
      html_url ?? url ?? '',
    ) ?? [];
  return repoNameFrom(repository?.full_name ?? path);
};

const entryOf = (value: unknown, path: readonly (string | number)[], repo: string | null): Entry => {
  const decoded = decodeEntry(Alert, value, path);
  if (E.isLeft(decoded)) return decoded;
  const { security_advisory: advisory, security_vulnerability: vulnerability, ...alert } = decoded.right;
  const named = vulnerability?.package ?? alert.dependency?.package;
  const ids = idsOf([
    advisory?.ghsa_id,
    advisory?.cve_id,
    ...(advisory?.identifiers ?? []).map(({ value }) => value),
  ]);
  if (named === undefined) return E.left(leaveOut('no-package', path));
  if (ids.length === 0) return E.left(leaveOut('no-advisory', path, named.name));
  if (advisory?.withdrawn_at !== undefined) return E.left(leaveOut('withdrawn', path, named.name));
  const patched = vulnerability?.first_patched_version;
  const decodedPatch = Patched.decode(patched);
  return E.right(
    finding({
      repo: repoOf(decoded.right) ?? repo,
      package: named.name,
      ids,
      ecosystem: named.ecosystem === undefined ? null : ecosystemFrom(named.ecosystem),
      severity: vulnerability?.severity ?? advisory?.severity ?? null,
      vulnerableRange: vulnerability?.vulnerable_version_range ?? null,
      fix: E.isRight(decodedPatch)
        ? {
            kind: 'versions',
            versions: [
              typeof decodedPatch.right === 'string' ? decodedPatch.right : decodedPatch.right.identifier,
            ],
          }
        : patched === null
          ? { kind: 'none' }
          : null,
      status: statusOfAlert(alert.state),
      discoveredAt: alert.created_at ?? null,
      updatedAt: alert.updated_at ?? null,
      resolvedAt: alert.fixed_at ?? alert.dismissed_at ?? alert.auto_dismissed_at ?? null,
    }),
  );
};

const entriesOf = (document: unknown): readonly Entry[] => {
  if (Array.isArray(document)) return document.map((each: unknown, index) => entryOf(each, [index], null));
  const repo = Repository.decode(document);
  const fallback = E.isRight(repo) ? repoNameFrom(repo.right.repository.full_name) : null;
  return [
    Webhook.is(document) ? entryOf(document.alert, ['alert'], fallback) : entryOf(document, [], fallback),
  ];
};

/**
 * Dependabot alerts of GitHub's REST API: a list, a single one, or the payload of a webhook. An empty list is
 * what the API answers for a repository without alerts.
 */
export const dependabot: ReportFormat = {
  name: 'Dependabot alerts (REST API or webhook)',
  recognizes: (document) =>
    Array.isArray(document)
      ? document.length === 0 || document.some(isAlert)
      : isAlert(document) || (Webhook.is(document) && isAlert(document.alert)),
  isLines: false,
  convert: (document) => ({ repos: [], scannedAt: null, entries: entriesOf(document) }),
};

const GraphqlAlert = t.type(
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

const isGraphqlAlert = (value: Readonly<Record<string, unknown>>): boolean =>
  'securityVulnerability' in value;

const hasAlerts = (value: Readonly<Record<string, unknown>>): boolean => 'vulnerabilityAlerts' in value;

const Named = t.type({ nameWithOwner: t.string });
const Owner = t.type({ login: t.string });
const NamedByOwner = t.type({ name: t.string, owner: Owner });
const NamedWithAlerts = t.type({ name: t.string, vulnerabilityAlerts: t.unknown });

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

const entryOfFound = ({ value, path, ancestors }: Found): Entry => {
  const decoded = decodeEntry(GraphqlAlert, value, path);
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
  const patched = PatchedVersion.decode(vulnerability.firstPatchedVersion);
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
const stateOf = (alert: Omit<t.TypeOf<typeof GraphqlAlert>, 'securityVulnerability'>) => {
  const isSettled = (alert.fixedAt ?? alert.dismissedAt ?? alert.autoDismissedAt) !== undefined;
  return statusOfAlert(alert.state ?? (isSettled ? 'fixed' : 'open'));
};

/** The repositories that a response lists, with or without alerts. */
const reposOf = (document: unknown): readonly string[] =>
  findObjects(document, hasAlerts).flatMap(({ value, ancestors }) => repoAround([...ancestors, value]) ?? []);

/** `vulnerabilityAlerts` of GitHub's GraphQL API, in whatever form the query asked for them. */
export const dependabotGraphql: ReportFormat = {
  name: 'Dependabot alerts (GraphQL API)',
  recognizes: (document) =>
    findObjects(document, (value) => isGraphqlAlert(value) || hasAlerts(value)).length > 0,
  isLines: false,
  convert: (document) => ({
    repos: reposOf(document),
    scannedAt: null,
    entries: findObjects(document, isGraphqlAlert).map(entryOfFound),
  }),
};
