import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { idsOf } from '../advisory-ids.js';
import { statusOfAlert } from '../alert-status.js';
import { ecosystemFrom } from '../ecosystem.js';
import { repoNameFrom } from '../repo-name.js';
import { type Entry, finding, type ReportFormat } from '../report.js';
import { decodeEntry, Line, leaveOut, usable, usableItems } from '../usable.js';

const Package = usable(t.type({ name: Line, ecosystem: usable(Line) }));

const Vulnerability = t.type({
  package: Package,
  severity: usable(Line),
  vulnerable_version_range: usable(Line),
  first_patched_version: t.unknown,
});

const Patched = t.union([Line, t.type({ identifier: Line })]);

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
