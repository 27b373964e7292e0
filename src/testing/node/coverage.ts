import { appendToFolder } from '../../common/append-to-folder.js';
import type { Exchange } from '../../simulation/exchange.js';

/** All servers and handlers of a process look for what none of them has seen. */
let recorder: Promise<() => (exchange: Exchange) => void> | undefined;

/** Notes in the folder that `TRIAGE_COVERAGE` names which states tests see; null: it names none. */
export const noteCoverage = (): ((exchange: Exchange) => void) | null => {
  const folder = process.env.TRIAGE_COVERAGE;
  if (!folder) return null;
  recorder ??= import('../../simulation/states/coverage.js').then(({ recordCoverage }) =>
    recordCoverage(
      appendToFolder(folder, 'states', (cause) =>
        process.emitWarning(`TRIAGE_COVERAGE: nothing is noted in ${folder}: ${String(cause)}`),
      ),
    ),
  );
  const note = recorder.then((observer) => observer());
  return (exchange) => void note.then((take) => take(exchange));
};
