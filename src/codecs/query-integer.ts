import * as t from 'io-ts';

const isWhole = (u: unknown): u is number => Number.isSafeInteger(u) && Number(u) >= 1;

/** A whole number from 1 to 2^53-1, as a query writes it; left out, it is `fallback`, and above `most` it counts as `most`. */
export class QueryInteger extends t.Type<number, string, unknown> {
  readonly _tag = 'WholeNumber';

  constructor(
    name: string,
    readonly defaultValue: number,
    readonly maximum: number,
  ) {
    super(
      name,
      isWhole,
      (u, c) => {
        if (u === undefined) return t.success(defaultValue);
        const asked = typeof u === 'string' && /^[0-9]+$/.test(u) ? Number(u) : Number.NaN;
        return isWhole(asked) ? t.success(Math.min(asked, maximum)) : t.failure(u, c);
      },
      String,
    );
  }
}
