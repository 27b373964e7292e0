/**
 * `#fp-ts/Either`, where package.json does not lead to the ES module of fp-ts: only bundlers can read that
 * one, because fp-ts does not declare it as such.
 */
export * from 'fp-ts/lib/Either.js';
