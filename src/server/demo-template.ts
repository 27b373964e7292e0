import type { DemoTemplate } from '../accounts/demo-rows.js';
import { shiftRows } from '../storage/fixtures/fixture-records.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';

/** The tenant whose rows new accounts begin with is the one in `demo.json`. */
export const isDemo = ({ name }: Fixture): boolean => name === 'demo';

/** The rows of the demo tenant, as they look at a moment. */
export const demoTemplate = ({ dataset }: Fixture): ((now: number) => DemoTemplate) => {
  const { asOf, repos, scans, fixDrafts, pullRequests } = dataset;
  const rows = { repos, scans, fixDrafts, pullRequests };
  return (now) => (asOf === undefined ? rows : shiftRows(rows, asOf, now));
};
