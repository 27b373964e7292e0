import * as t from 'io-ts';

/** What a measure must reach. */
const Goal = t.strict({
  kind: t.union([t.literal('at least'), t.literal('at most')]),
  bound: t.number,
});
type Goal = t.TypeOf<typeof Goal>;

/** One line of the table: what was measured, and what it must reach. */
export const Result = t.strict({
  measure: t.string,
  /** What it is compared with; empty if it is a figure of its own. */
  comparedWith: t.string,
  value: t.number,
  /** The same ratio by processor time instead of throughput or time; null where there is no such thing. */
  byProcessorTime: t.union([t.number, t.null]),
  unit: t.union([t.literal('×'), t.literal('ms'), t.literal('MB'), t.literal('')]),
  goal: t.union([Goal, t.null]),
});
export type Result = t.TypeOf<typeof Result>;

/** What one server did under load. */
export const ServerFigures = t.strict({
  name: t.string,
  /** What it does for a request, in a few words. */
  work: t.string,
  requestsPerSecond: t.number,
  /** Processor time of all its threads for one request, in microseconds; null where it is unknown. */
  microseconds: t.union([t.number, t.null]),
  /** Latency in milliseconds below which 99 of 100 responses arrive. */
  p99: t.number,
});
export type ServerFigures = t.TypeOf<typeof ServerFigures>;

/** What a section has measured. */
export const SectionReport = t.strict({
  results: t.readonlyArray(Result),
  /** For the chart; empty in most sections. */
  servers: t.readonlyArray(ServerFigures),
  /** Processor time per request as a multiple of that of bare Koa, by measure: a rise is reported loudly. */
  watched: t.record(t.string, t.number),
});
export type SectionReport = t.TypeOf<typeof SectionReport>;

/** How thoroughly to measure. */
export type SectionContext = Readonly<{
  print: (line: string) => void;
  /** Some minutes in total instead of many, with less data: for trying things out. */
  quick: boolean;
  rounds: number;
  /** The length of a round. */
  seconds: number;
  /** Whether the system chooses the processors of servers and load generators. */
  unbound: boolean;
}>;

/** A part of the benchmark that can run alone. */
export type Section = Readonly<{
  name: string;
  about: string;
  run: (context: SectionContext) => Promise<SectionReport>;
}>;

/** A report of results alone. */
export const reportOf = (...results: readonly Result[]): SectionReport => ({
  results,
  servers: [],
  watched: {},
});

type Figure = Pick<Result, 'measure' | 'value'> & Partial<Omit<Result, 'goal'>>;

const resultWith = (goal: Goal | null, figure: Figure): Result => ({
  comparedWith: '',
  byProcessorTime: null,
  unit: '×',
  ...figure,
  goal,
});

export const atLeast = (bound: number, figure: Figure): Result =>
  resultWith({ kind: 'at least', bound }, figure);

export const atMost = (bound: number, figure: Figure): Result =>
  resultWith({ kind: 'at most', bound }, figure);

/** A figure without a goal. */
export const withoutGoal = (figure: Figure): Result => resultWith(null, figure);

const meets = ({ kind, bound }: Goal, value: number): boolean =>
  kind === 'at least' ? value >= bound : value <= bound;

/** Whether a result reaches its goal, also by processor time; null: there is nothing to reach. */
export const isReached = ({
  value,
  byProcessorTime,
  goal,
}: Result): Readonly<{ value: boolean | null; byProcessorTime: boolean | null }> => ({
  value: goal === null ? null : meets(goal, value),
  byProcessorTime: goal === null || byProcessorTime === null ? null : meets(goal, byProcessorTime),
});
