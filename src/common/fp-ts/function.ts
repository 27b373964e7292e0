/** `#fp-ts/function`: see `Either.ts`. */
export * from 'fp-ts/lib/function.js';
