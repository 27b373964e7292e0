import { fileURLToPath } from 'node:url';

/** The fixtures that come with the package; their credentials are known to everybody. */
export const shippedFixtures = fileURLToPath(new URL('../../../fixtures', import.meta.url));
