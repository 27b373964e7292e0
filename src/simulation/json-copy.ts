import * as E from '#fp-ts/Either';

/**
 * A value as JSON has it, which shares nothing with the given one: a caller may change what it gave. `left`:
 * why it is not JSON.
 */
export const jsonCopy = (value: unknown): E.Either<string, unknown> =>
  E.tryCatch(
    (): unknown => JSON.parse(JSON.stringify(value) ?? 'null'),
    (error) => `not JSON: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
  );
