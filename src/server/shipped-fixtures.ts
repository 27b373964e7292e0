import { fileURLToPath } from 'node:url';

/** The directory of the fixtures that come with the package. Their credentials are public. */
export const shippedFixtures = fileURLToPath(new URL('../../../fixtures', import.meta.url));
