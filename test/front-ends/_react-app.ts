import { exampleFiles } from '../_examples.js';

/** The project that the recipes for front ends show. */
export const reactApp = exampleFiles('react-app');
