import type { Examples } from '../../src/openapi/example.js';

/** The source of `src/openapi/examples.ts`; `npm run format` lays it out. */
export const asModule = (examples: Examples): string => `import type { Examples } from './example.js';

/** What the server answered over the shipped fixtures at 2026-11-20T12:00:00Z. Written by \`npm run derive\`, kept true by a test. */
export const examples: Examples = ${JSON.stringify(examples, null, 2)};
`;
