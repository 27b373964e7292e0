/** The entry `triage-api/fixtures`: data for tests, in one readable line (docs/builders.md). */
export { TriageApiError } from '../../common/messages.js';
export { many } from './many.js';
export {
  type Finding,
  finding,
  type PullRequest,
  pullRequest,
  type Repo,
  repo,
  type Scan,
  scan,
} from './rows.js';
export { type TenantData, type TenantFields, tenant } from './tenant.js';
export { writeFixture } from './write-fixture.js';
