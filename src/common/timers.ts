type Timers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval'>;

/**
 * The timers of the machine, as they are when this module is loaded. A test may replace the global ones while
 * a server runs in its process, and the server has to go on: nothing else in `src` names a timer. Only what
 * is simulated waits by the global ones, so that the test can end it.
 */
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
const machine: Timers = { setTimeout, clearTimeout, setInterval, clearInterval };
const setTurn = 'setImmediate' in globalThis ? globalThis.setImmediate : setTimeout;

/** Calls a task after so many milliseconds, or every so many. Returns what cancels it. */
export type Later = (milliseconds: number, task: () => void) => () => void;

/** `mayEnd`: the process may end before. Browsers, which have none, have numbers for timers. */
const once =
  (timers: () => Timers, mayEnd = false): Later =>
  (milliseconds, task) => {
    const { setTimeout, clearTimeout } = timers();
    const timer: NodeJS.Timeout | number = setTimeout(task, milliseconds);
    if (mayEnd && typeof timer === 'object') timer.unref();
    return () => clearTimeout(timer);
  };
const again =
  (timers: () => Timers, mayEnd = false): Later =>
  (milliseconds, task) => {
    const { setInterval, clearInterval } = timers();
    const timer: NodeJS.Timeout | number = setInterval(task, milliseconds);
    if (mayEnd && typeof timer === 'object') timer.unref();
    return () => clearInterval(timer);
  };

export const runAfter = /* @__PURE__ */ once(() => machine);
/** The same, unless the process ends before. */
export const runLater = /* @__PURE__ */ once(() => machine, true);
/** Calls a task every so many milliseconds, until it is cancelled or the process ends. */
export const runEvery = /* @__PURE__ */ again(() => machine, true);
/** These wait by the timers that are global at the time of the call. */
export const runSimulated = /* @__PURE__ */ once(() => globalThis);
export const runSimulatedEvery = /* @__PURE__ */ again(() => globalThis);

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Calls a task when other work that is due has had its turn. */
export const runNextTurn = (task: () => void): void => void setTurn(task);

/** Resolves then. */
export const nextTurn = (): Promise<void> => new Promise(runNextTurn);
