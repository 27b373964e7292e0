import { finding, many, tenant } from 'triage-api/fixtures';
import { Findings } from './findings.jsx';

export default { component: Findings };

export const Empty = { parameters: { fixtures: tenant() } };

export const Critical = {
  parameters: { fixtures: tenant({ findings: many(3, () => finding({ severity: 'critical' })) }) },
};

export const Unavailable = { parameters: { fixtures: tenant(), faults: [{ code: 503 }] } };
