/** Below which path the controls are. */
export const controlsRoot = '/__admin';

/** Whether a path is one of the controls, or one of their pages, whether there is such a control or not. */
export const isControlPath = (path: string): boolean =>
  /^\/(?:__admin|explore\/(?:controls|states))(?:[/.]|$)/.test(path);
