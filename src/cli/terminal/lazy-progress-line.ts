import type { ProgressLine, Screen } from './progress-line.js';

/**
 * A progress line that is loaded when it is shown for the first time: what measures the width of text takes
 * as long to load as a small command. Until then, which is a moment, nothing is shown.
 */
export const lazyProgressLine = (screen: Screen): ProgressLine => {
  let line: ProgressLine | null = null;
  let isLoading = false;
  let wanted = '';
  const load = async (): Promise<void> => {
    isLoading = true;
    const { progressLine } = await import('./progress-line.js');
    line = progressLine(screen);
    if (wanted !== '') line.show(wanted);
  };
  return {
    show: (text) => {
      wanted = text;
      if (line !== null) line.show(text);
      else if (!isLoading) void load();
    },
    clear: () => {
      wanted = '';
      line?.clear();
    },
  };
};
