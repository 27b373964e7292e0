/**
 * The timers of the machine, as they are when this module is loaded. A test may replace the global ones while
 * a server runs in its process, and the server has to go on: nothing else in `src` names a timer. Only what
 * is simulated waits by the global ones, so that the test can end it.
 */
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
const setTurn: (task: () => void) => unknown =
  'setImmediate' in globalThis ? globalThis.setImmediate : setTimeout;

/** Calls a task after so many milliseconds, or every so many. Returns what cancels it. */
export type Later = (milliseconds: number, task: () => void) => () => void;

export const runAfter: Later = (milliseconds, task) => {
  const timer = setTimeout(task, milliseconds);
  return () => clearTimeout(timer);
};

/** The same, but the process may end before. */
export const runLater: Later = (milliseconds, task) => {
  const timer = setTimeout(task, milliseconds);
  detach(timer);
  return () => clearTimeout(timer);
};

/** Calls a task every so many milliseconds, until it is cancelled or the process ends. */
export const runEvery: Later = (milliseconds, task) => {
  const timer = setInterval(task, milliseconds);
  detach(timer);
  return () => clearInterval(timer);
};

/** Browsers have numbers for timers, and no process that they keep alive. */
const detach = (timer: Readonly<{ unref: () => unknown }> | number): void => {
  if (typeof timer === 'object') timer.unref();
};

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls a task when other work that is due has had its turn. */
export const runNextTurn = (task: () => void): void => void setTurn(task);

/** Resolves then. */
export const nextTurn = (): Promise<void> => new Promise(runNextTurn);

/** Like `runAfter`, by the timers that are global at the time of the call. */
export const runSimulated: Later = (milliseconds, task) => {
  const { setTimeout, clearTimeout } = globalThis;
  const timer = setTimeout(task, milliseconds);
  return () => clearTimeout(timer);
};

/** Like `runEvery`, by the timers that are global at the time of the call. */
export const runSimulatedEvery: Later = (milliseconds, task) => {
  const { setInterval, clearInterval } = globalThis;
  const timer = setInterval(task, milliseconds);
  return () => clearInterval(timer);
};
