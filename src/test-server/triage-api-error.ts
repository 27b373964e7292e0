/** Why a server cannot be started or set: each problem in a line of the message, and by itself in `problems`. */
export class TriageApiError extends Error {
  override readonly name = 'TriageApiError';

  constructor(readonly problems: readonly string[]) {
    super(
      [`triage-api: ${problems.length} problem${problems.length === 1 ? '' : 's'}`, ...problems].join('\n  '),
    );
  }
}
