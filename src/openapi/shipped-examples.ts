import { readFileSync } from 'node:fs';
import { decodeExamples, type Examples } from './examples.js';

/** `npm run build` writes this file from responses of the server (`scripts/write-examples.ts`). */
export const examplesFile = new URL('../../assets/examples.json', import.meta.url);

/** The examples that ship with the package. Throws if the package is incomplete. */
export const readExamples = (): Examples => decodeExamples(readFileSync(examplesFile, 'utf8'));
