import { bulkAdvisories } from './formats/bulk-advisories.js';
import { cyclonedx } from './formats/cyclonedx.js';
import { dependabot } from './formats/dependabot.js';
import { dependabotGraphql } from './formats/dependabot-graphql.js';
import { grype } from './formats/grype.js';
import { npm6Audit } from './formats/npm-6-audit.js';
import { npmAudit } from './formats/npm-audit.js';
import { osv } from './formats/osv.js';
import { osvScanner } from './formats/osv-scanner.js';
import { sarif } from './formats/sarif.js';
import { trivy } from './formats/trivy.js';
import { yarnAudit } from './formats/yarn-audit.js';
import { yarnClassicAudit } from './formats/yarn-classic-audit.js';
import type { ReportFormat } from './report.js';

/**
 * Every format, in the order in which a document is compared with them. The first one that recognizes it
 * converts it, so those that search the whole document come last.
 */
export const allFormats: readonly ReportFormat[] = [
  npmAudit,
  npm6Audit,
  yarnAudit,
  yarnClassicAudit,
  osvScanner,
  cyclonedx,
  sarif,
  grype,
  trivy,
  osv,
  dependabot,
  bulkAdvisories,
  dependabotGraphql,
];
