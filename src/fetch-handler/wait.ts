import { runLater } from '#platform';

/** Waits for so many milliseconds. False: the signal was aborted before. */
export const wait = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const timer = setTimeout(() => end(true), milliseconds);
    const end = once(resolve, () => clearTimeout(timer), signal);
  });

/** The same, but the process may end in the meantime if it has nothing else to do. */
export const waitInBackground = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const cancel = runLater(milliseconds, () => end(true));
    const end = once(resolve, cancel, signal);
  });

const once = (
  resolve: (isOver: boolean) => void,
  cancel: () => void,
  signal: AbortSignal,
): ((isOver: boolean) => void) => {
  const onAbort = (): void => end(false);
  const end = (isOver: boolean): void => {
    cancel();
    signal.removeEventListener('abort', onAbort);
    resolve(isOver);
  };
  signal.addEventListener('abort', onAbort);
  return end;
};
