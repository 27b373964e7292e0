/**
 * Derived by `npm run derive`: the values that at least two tenants of the shipped fixtures have in texts
 * for which the contract lists none.
 */
export const shippedWords: Readonly<Record<string, readonly string[]>> = {
  'repos.lastScan.status': ['completed', 'failed'],
  'repos.scanStatusBadge': ['attention', 'failed', 'healthy', 'never_scanned'],
  'repos.status': ['blocked', 'clear', 'fix_open', 'needs_review', 'not_scanned'],
  'findings.ciStatus': ['failing', 'none', 'passing', 'running'],
  'prs.ciStatus': ['failing', 'none', 'passing', 'running'],
  'prs.prState': ['cancelled', 'closed', 'draft', 'merged', 'open'],
};
