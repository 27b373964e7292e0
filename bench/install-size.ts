import { installedSize, limits } from '../test/inventory/_dependencies.js';
import { atMost, reportOf, type SectionContext, type SectionReport } from './section.js';

/** How many packages are installed with this one, and their size, as `docs/dependencies.md` counts them. */
export const benchInstall = async (_: SectionContext): Promise<SectionReport> => {
  const { packages, bytes } = await installedSize();
  return reportOf(
    atMost(limits.packages, { measure: 'Production dependencies', value: packages, unit: '' }),
    atMost(limits.megabytes, { measure: 'Size of production dependencies', value: bytes / 1e6, unit: 'MB' }),
  );
};
