/** `#fp-ts/Task`: see `Either.ts`. */
export * from 'fp-ts/lib/Task.js';
