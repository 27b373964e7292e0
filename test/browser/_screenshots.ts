import { fileURLToPath } from 'node:url';

/** The screenshots that the documents show: the overview of the explorer in both color schemes. */
export const screenshots = (['light', 'dark'] as const).map((colorScheme) => ({
  colorScheme,
  file: fileURLToPath(new URL(`../../../docs/images/explorer-${colorScheme}.png`, import.meta.url)),
}));

/** The size of a screenshot, in pixels: the numbers and the first row of charts. */
export const screenshotSize = { width: 1280, height: 735 } as const;
