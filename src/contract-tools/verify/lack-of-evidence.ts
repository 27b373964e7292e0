import { exercisedPercent, hasEnoughEvidence, hasUnconfirmed, type VerifyReport } from './report.js';
import type { UnexercisedReason } from './unmet-prerequisite.js';

/** What would help against each reason why statements were not exercised. */
const remedies: Readonly<Record<UnexercisedReason, string>> = {
  data: 'need data that this user does not have',
  credentials: 'need further credentials',
  requests: 'need more requests (--max-requests)',
  sample: 'need --all-pages',
  unconfirmed: 'need more requests to confirm a violation (--max-requests)',
  response: 'need a response that did not come as expected',
};

/** Why a run without failures says too little about a server, as a sentence; null if it says enough. */
export const lackOfEvidence = (report: VerifyReport): string | null => {
  const { exercised, of, requiredPercent } = report.evidence;
  if (hasUnconfirmed(report))
    return 'a violation was found and could not be confirmed, because requests ran out (--max-requests)';
  if (hasEnoughEvidence(report)) return null;
  const percent = exercisedPercent(report);
  return (
    `only ${exercised} of ${of} statements were exercised (${percent}%, and --min-exercised asks for ` +
    `${requiredPercent}%): ${causesIn(report).join(', ')}; --min-exercised ${percent} accepts as little`
  );
};

/** The reasons of statements that the credentials allow, the most frequent first. */
const causesIn = ({ checks, must }: VerifyReport): readonly string[] => {
  const counts = new Map<UnexercisedReason, number>();
  for (const { level, reason } of checks) {
    if (level === 'must' && reason !== null && reason !== 'credentials')
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const changing =
    must.changingData === 0 ? [] : [`${must.changingData} have data that changes all the time`];
  return Array.from(counts)
    .sort(([, left], [, right]) => right - left)
    .map(([reason, count]) => `${count} ${remedies[reason]}`)
    .concat(changing);
};
