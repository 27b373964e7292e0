export { TriageApiError } from '../common/triage-api-error.js';
