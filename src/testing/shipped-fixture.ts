import type { FixtureData } from '../fixtures/fixture-format.js';

/**
 * Stands for the files `triage-api/fixtures/*.json`, of which package.json says that they have this type. As
 * JSON, each would have a type of its own that no option accepts, with `string` for every enum.
 */
const fixture: FixtureData = {};

export default fixture;
