/** `#fp-ts/TaskEither`: see `Either.ts`. */
export * from 'fp-ts/lib/TaskEither.js';
