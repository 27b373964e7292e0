/** Why a server cannot start or change its state. The message lists all `problems`, one per line. */
export class TriageApiError extends Error {
  override readonly name = 'TriageApiError';

  constructor(readonly problems: readonly string[]) {
    super(
      [`triage-api: ${problems.length} problem${problems.length === 1 ? '' : 's'}`, ...problems].join('\n  '),
    );
  }
}
