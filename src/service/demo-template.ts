import type { DemoTemplate } from '../accounts/demo-rows.js';
import { freshenRows } from '../storage/fixtures/freshen.js';
import type { Fixture } from '../storage/fixtures/read-directory.js';

/** The tenant whose rows new accounts begin with is the one in `demo.json`. */
export const isDemo = ({ name }: Fixture): boolean => name === 'demo';

/** The rows of the demo tenant of some fixtures, as they look at a moment; none where there is no such tenant. */
export const demoTemplate = (fixtures: readonly Fixture[]): ((now: number) => DemoTemplate) => {
  const demo = fixtures.find(isDemo)?.dataset;
  if (demo === undefined) return () => ({ repos: [], scans: [], fixDrafts: [], pullRequests: [] });
  const { asOf, repos, scans, fixDrafts, pullRequests } = demo;
  const rows = { repos, scans, fixDrafts, pullRequests };
  return (now) => (asOf === undefined ? rows : freshenRows(rows, asOf, now));
};
