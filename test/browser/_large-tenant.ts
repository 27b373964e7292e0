import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../_data.js';

const long = 'a'.repeat(200);
const rightToLeft = 'حزمة برمجية '.repeat(16);

/** A tenant with 10,000 findings, whose texts are as long as they can be, or run from right to left. */
export const largeTenant = dataset({
  user: { ...aUser('large'), name: long.slice(0, 100) },
  sessions: [aSession('large-session')],
  repos: [aRepo('r0', { owner: long, repo: rightToLeft }), aRepo(long)],
  fixDrafts: Array.from({ length: 10_000 }, (_, index) =>
    aDraft(`d${index}`, index % 2 === 0 ? 'r0' : long, {
      package: index % 2 === 0 ? long : rightToLeft,
      ecosystem: rightToLeft,
      vulnerableRange: long,
      advisoryId: `GHSA-${index}`,
      ciStatus: long,
    }),
  ),
  pullRequests: Array.from({ length: 200 }, (_, index) =>
    aPullRequest(`p${index}`, `d${index % 40}`, {
      branch: long,
      prState: index % 2 === 0 ? long : rightToLeft,
      codemodSummary: `- ${long}\n+ ${rightToLeft}\n`.repeat(index % 9),
    }),
  ),
});
