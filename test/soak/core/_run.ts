import type { Life } from './_life.js';

/** What a run can be given more or less of. */
export const amountNames = ['requests', 'seconds', 'times', 'connections'] as const;
export type AmountName = (typeof amountNames)[number];
export type Amounts = Readonly<Partial<Record<AmountName, number>>>;

/** What a run is given. */
export type RunContext = Readonly<{
  life: Life;
  seed: number;
  /** Where to begin in the sequence that the seed gives, to repeat a part of it. */
  from: number;
  amount: (name: AmountName) => number;
  /** Says how far the run is. */
  progress: (text: string) => void;
}>;

/** What a run has shown. It passes without a failure; it is not run where the machine lacks something. */
export type Result =
  | Readonly<{ figures: readonly string[]; failures: readonly string[] }>
  | Readonly<{ notRun: string }>;

/** A long test with figures. */
export type SoakRun = Readonly<{
  name: string;
  /** What it does and must show, in one line. */
  about: string;
  /** The amounts of its long form. */
  amounts: Amounts;
  execute: (context: RunContext) => Promise<Result>;
}>;

/** Collects failures. Many of a kind are shown as one with their number. */
export const failureList = () => {
  const kinds = new Map<string, { count: number; first: string }>();
  return {
    add: (kind: string, detail = ''): void => {
      const known = kinds.get(kind);
      if (known === undefined) kinds.set(kind, { count: 1, first: detail });
      else known.count += 1;
    },
    count: (): number => Array.from(kinds.values()).reduce((sum, { count }) => sum + count, 0),
    list: (): readonly string[] =>
      Array.from(kinds, ([kind, { count, first }]) =>
        [count === 1 ? kind : `${kind} (${count} times)`, first].filter((text) => text !== '').join('\n    '),
      ),
  };
};
export type FailureList = ReturnType<typeof failureList>;

/** Resolves after so many milliseconds. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Does the same work in so many lanes at once. */
export const inLanes = async (count: number, lane: (index: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, index) => lane(index)));
};
