import * as E from '#fp-ts/Either';
import type { Layer, Serve } from '../../api/call.js';
import { appendToFolder } from '../../common/append-to-folder.js';
import { TriageApiError } from '../../common/messages.js';
import type { Exchange } from '../../simulation/exchange.js';

/** What appends to a file of a folder that a variable names. */
const appendTo = (variable: string, folder: string, extension: string): ((text: string) => void) =>
  appendToFolder(folder, extension, (cause) =>
    process.emitWarning(`${variable}: nothing is noted in ${folder}: ${String(cause)}`),
  );

/** All servers and handlers of a process look for what none of them has seen. */
let recorder: Promise<() => (exchange: Exchange) => void> | undefined;

/** Notes in the folder that `TRIAGE_COVERAGE` names which states tests see; null: it names none. */
export const noteCoverage = (): ((exchange: Exchange) => void) | null => {
  const folder = process.env.TRIAGE_COVERAGE;
  if (!folder) return null;
  recorder ??= import('../../simulation/states/coverage.js').then(({ recordCoverage }) =>
    recordCoverage(appendTo('TRIAGE_COVERAGE', folder, 'states')),
  );
  const note = recorder.then((observer) => observer());
  return (exchange) => void note.then((take) => take(exchange));
};

/**
 * Tells the lie that `TRIAGE_LIE` names, and notes in the folder that `TRIAGE_LIES` names which could be
 * told; null: there is neither. With an unknown lie, every request fails.
 */
export const lyingLayer = (): Layer | null => {
  const { TRIAGE_LIE: lie = '', TRIAGE_LIES: folder = '' } = process.env;
  if (lie === '' && folder === '') return null;
  const note = folder === '' ? () => {} : appendTo('TRIAGE_LIES', folder, 'lies');
  const loading = import('../../simulation/lies/tell.js').then(({ lyingLayer: open }) => {
    const layer = open(lie, note);
    if (E.isRight(layer)) return layer.right;
    process.emitWarning(`TRIAGE_LIE: ${layer.left}`);
    throw new TriageApiError([`TRIAGE_LIE: ${layer.left}`]);
  });
  // Whoever sends a request is told.
  loading.catch(() => {});
  return (next) => {
    let serve: Serve | undefined;
    return async (call) => {
      serve ??= (await loading)(next);
      return serve(call);
    };
  };
};
