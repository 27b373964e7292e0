import type { FindingStatus } from '../../contract/enums.js';

const resolvedStates = ['fixed', 'dismissed', 'auto_dismissed'];

/**
 * The lifecycle status of a Dependabot alert: an alert that somebody or a rule has dismissed is as settled as
 * a fixed one. Anything else is open.
 */
export const statusOfAlert = (state: string | undefined): FindingStatus =>
  resolvedStates.includes((state ?? '').toLowerCase()) ? 'resolved' : 'pending';
