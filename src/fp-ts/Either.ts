/** `#fp-ts/Either`, which package.json leads to the ES module of fp-ts in a bundler. Node has the CommonJS one only. */
export * from 'fp-ts/lib/Either.js';
