import { timestampAt } from '../../contract/codecs/timestamp.js';
import type { PullRequestRecord } from '../../records/row-records.js';
import { versionBefore } from './catalogue.js';
import { codemodFor } from './codemods.js';
import { rowId } from './ids.js';
import { randomFor } from './random.js';
import type { RepoPlan } from './repo-plan.js';
import { heldByFirst } from './share-out.js';
import type { Story } from './story.js';
import type { TenantPlan } from './tenant-plan.js';

const minute = 60_000;

/**
 * The pull requests of a finding; `firstIndex` is that of the first one among those of the tenant. Chance
 * does not depend on it, so that they can be looked at before it is known.
 */
export function* pullRequestRows(
  { spec, rules }: TenantPlan,
  repo: RepoPlan,
  story: Story,
  firstIndex: number,
): Iterable<PullRequestRecord> {
  const { advisory, prCount, discoveredAt, updatedAt } = story;
  const [fromVersion, toVersion] = [versionBefore(advisory.fixedVersion), advisory.fixedVersion];
  const draftId = rowId(spec, 'fix', story.index);
  const random = randomFor(spec.seed, spec.tenant, 'pullRequest', story.index);
  for (let nth = 0; nth < prCount; nth += 1) {
    const index = firstIndex + nth;
    const isLast = nth === prCount - 1;
    const { prState, ciStatus, hasCodemod } = rules.pullRequest({
      index,
      isLast,
      finding: story,
      findingPlace: story,
      random,
    });
    // One after the other, while the finding was worked on.
    const from = discoveredAt + heldByFirst(updatedAt - discoveredAt, nth, prCount);
    const until = discoveredAt + heldByFirst(updatedAt - discoveredAt, nth + 1, prCount);
    const createdAt = from + random.below(until - from);
    const changedAt = isLast ? until : createdAt + random.below(until - createdAt);
    const reconciledAt = Math.min(changedAt + random.below(5 * minute), story.reconciledAt ?? updatedAt);
    const row: PullRequestRecord = {
      id: rowId(spec, 'pr', index),
      draftId,
      fromVersion,
      toVersion,
      branch: `triage/${shortName(advisory.package)}-${toVersion}`,
      hasCodemod,
      codemodSummary: hasCodemod ? codemodFor(advisory, fromVersion) : '',
      ciStatus,
      prUrl: `https://github.example/${repo.owner}/${repo.name}/pull/${index + 1}`,
      prState,
      createdAt: timestampAt(createdAt),
      updatedAt: timestampAt(changedAt),
      reconciledAt: isFinal(prState) ? timestampAt(reconciledAt) : null,
    };
    yield rules.quirks.pullRequest(row, index);
  }
}

const isFinal = (state: string | null): boolean =>
  state === 'merged' || state === 'closed' || state === 'cancelled';

/** `log4j-core` of `org.apache.logging.log4j:log4j-core`. */
const shortName = (name: string): string => name.replace(/^.*[:/]/, '').replaceAll('.', '-');
