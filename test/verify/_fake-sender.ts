import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ThrottledSender } from '../../src/client/throttle.js';

/** A sender that answers every request with 200 and a text made from its target, and keeps the targets. */
export const fakeSender = (
  textOf: (target: string) => string,
): ThrottledSender & Readonly<{ targets: readonly string[] }> => {
  const targets: string[] = [];
  return {
    targets,
    sent: () => targets.length,
    send: ({ target }) => {
      targets.push(target);
      return TE.right({ status: 200, headers: {}, text: textOf(target) });
    },
  };
};
