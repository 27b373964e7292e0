import type { TimedPatch } from './test-controls.js';

/** Stands for the files `triage-api/fixtures/scenarios/*.json`; see `shipped-fixture.ts`. */
const scenario: readonly TimedPatch[] = [];

export default scenario;
