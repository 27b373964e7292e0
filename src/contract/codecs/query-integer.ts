import * as t from 'io-ts';

const isPositiveInteger = (u: unknown): u is number => Number.isSafeInteger(u) && Number(u) >= 1;

/** An integer from 1 to 2^53-1 in a query string: `defaultValue` if missing, capped at `maximum`. */
export class QueryInteger extends t.Type<number, string, unknown> {
  readonly _tag = 'QueryInteger';

  constructor(
    name: string,
    readonly defaultValue: number,
    readonly maximum: number,
  ) {
    super(
      name,
      isPositiveInteger,
      (u, c) => {
        if (u === undefined) return t.success(defaultValue);
        const number = typeof u === 'string' && /^[0-9]+$/.test(u) ? Number(u) : Number.NaN;
        return isPositiveInteger(number) ? t.success(Math.min(number, maximum)) : t.failure(u, c);
      },
      String,
    );
  }
}
