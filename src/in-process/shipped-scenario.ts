import type { TimedPatch } from './fixture-data.js';

/** Stands for the files `triage-api/fixtures/scenarios/*.json`, of which package.json says that they have this type. */
const scenario: readonly TimedPatch[] = [];

export default scenario;
