/** Stands for `node/environment.ts` where there is none: package.json chooses one of the two. */
export const noteCoverage = () => null;
export const lyingLayer = () => null;
