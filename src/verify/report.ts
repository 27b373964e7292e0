import * as t from 'io-ts';
import { listOf } from '../codecs/list.js';
import { nullable } from '../codecs/nullable.js';
import { Integer } from '../codecs/numbers.js';
import { Timestamp } from '../codecs/timestamp.js';

/** A place where an answer is not as it should be. Values are shortened, secrets taken out. */
export const ReportedViolation = t.strict(
  { request: t.string, path: t.string, expected: t.string, got: t.string },
  'ReportedViolation',
);
export type ReportedViolation = t.TypeOf<typeof ReportedViolation>;

/** `differs`: a `may` that this server does otherwise, which is no failure. */
export const CheckOutcome = t.keyof(
  { passed: null, failed: null, differs: null, 'not exercised': null },
  'one of passed, failed, differs, not exercised',
);
export type CheckOutcome = t.TypeOf<typeof CheckOutcome>;

export const ReportedCheck = t.strict(
  {
    id: t.string,
    section: t.string,
    level: t.keyof({ must: null, may: null }, 'one of must, may'),
    statement: t.string,
    outcome: CheckOutcome,
    /** How many violations there are; `violations` shows the first of them. */
    violationCount: Integer,
    violations: listOf(ReportedViolation),
    /** What would be needed for it to be exercised; null where it was. */
    needed: nullable(t.string),
  },
  'ReportedCheck',
);
export type ReportedCheck = t.TypeOf<typeof ReportedCheck>;

const Counts = t.strict(
  { passed: Integer, failed: Integer, differs: Integer, notExercised: Integer },
  'Counts',
);
export type Counts = t.TypeOf<typeof Counts>;

/** What `verify` found, as its JSON file has it. */
export const VerifyReport = t.strict(
  {
    url: t.string,
    startedAt: Timestamp,
    milliseconds: Integer,
    /** How many requests were sent, repetitions included. */
    requests: Integer,
    /** Why the server could not be asked to the end; null where it was. */
    stopped: nullable(t.string),
    must: Counts,
    may: Counts,
    checks: listOf(ReportedCheck),
  },
  'VerifyReport',
);
export type VerifyReport = t.TypeOf<typeof VerifyReport>;

/** Whether the server keeps the contract as far as it was put to the test: no `must` failed, and it could be asked to the end. */
export const isKept = ({ must, stopped }: VerifyReport): boolean => must.failed === 0 && stopped === null;
