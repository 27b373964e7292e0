import type { FindingStatus, Severity } from '../../../contract/enums.js';
import { advisoryOf, wholeCatalogue } from '../catalogue.js';
import { at, type NonEmpty } from '../random.js';
import { badges, type RepoKind } from '../repo-kind.js';
import { noQuirks, type Rules } from './rules.js';

const severities: NonEmpty<Severity> = ['critical', 'high', 'medium', 'low'];
const statuses: NonEmpty<FindingStatus> = ['pending', 'drafting', 'escalated', 'resolved'];
const ciStatuses: NonEmpty<string> = ['passing', 'failing', 'running', 'none'];
const prStates: NonEmpty<string | null> = ['open', 'merged', 'closed', 'cancelled', null];
const repoStatuses: NonEmpty<string> = ['needs_review', 'fix_open', 'clear', 'blocked', 'not_scanned'];

/** The kinds with different badges. */
const kinds: NonEmpty<RepoKind> = ['busy', 'healthy', 'scanning', 'failed', 'partial', 'never'];

const statusOfKind: Partial<Readonly<Record<RepoKind, string>>> = {
  busy: 'needs_review',
  healthy: 'clear',
  scanning: 'fix_open',
  failed: 'blocked',
  never: 'not_scanned',
};

/**
 * Every value as often as every other: each is chosen by the index of its row, whatever the other values of
 * the row are, and together they walk through all combinations.
 */
export const uniform: Rules = {
  kind: (_, repo) => at(kinds, repo),
  weight: (_, __, kind) => (kind === 'never' ? 0 : 1),
  catalogue: () => wholeCatalogue,
  severity: (index) => at(severities, index),
  finding: ({ index, nth, distinct, catalogue, random }) => ({
    advisory:
      distinct.slice(nth, nth + 1).find(({ severity }) => severity === at(severities, index)) ??
      advisoryOf(catalogue, at(severities, index), random),
    status: at(statuses, index + Math.floor(index / 4)),
    ciStatus: at(ciStatuses, index + Math.floor(index / 16)),
  }),
  pullRequest: ({ index }) => ({
    prState: at(prStates, index),
    ciStatus: at(ciStatuses, index),
    hasCodemod: (index + Math.floor(index / 20)) % 2 === 1,
  }),
  labels: (repo, kind) => ({
    scanStatusBadge: badges[kind],
    // The sixth kind has all five in turn, so that none is more frequent.
    status: statusOfKind[kind] ?? at(repoStatuses, Math.floor(repo / kinds.length)),
    isDemoRow: (repo + Math.floor(repo / kinds.length)) % 2 === 1,
  }),
  quirks: noQuirks,
};
