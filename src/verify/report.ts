import * as t from 'io-ts';
import { listOf } from '../codecs/list.js';
import { nullable } from '../codecs/nullable.js';
import { Integer } from '../codecs/numbers.js';
import { Timestamp } from '../codecs/timestamp.js';

/** A place where a response is not as expected. Values are shortened, and secrets are removed. */
export const ReportedViolation = t.strict(
  { request: t.string, path: t.string, expected: t.string, got: t.string },
  'ReportedViolation',
);
export type ReportedViolation = t.TypeOf<typeof ReportedViolation>;

/** `differs`: the server decided differently from us where the contract is silent, which is no failure. */
export const CheckOutcome = t.keyof(
  { passed: null, failed: null, differs: null, 'not exercised': null },
  'one of passed, failed, differs, not exercised',
);
export type CheckOutcome = t.TypeOf<typeof CheckOutcome>;

export const ReportedCheck = t.strict(
  {
    id: t.string,
    section: t.string,
    level: t.keyof({ must: null, info: null }, 'one of must, info'),
    statement: t.string,
    /** Why the contract says so, if a reader may doubt it; null otherwise. */
    reasoning: nullable(t.string),
    outcome: CheckOutcome,
    /** The number of violations; `violations` holds the first of them. */
    violationCount: Integer,
    violations: listOf(ReportedViolation),
    /** The missing prerequisite; null unless the check was not exercised. */
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

/** The result of `verify`, as its JSON file holds it. */
export const VerifyReport = t.strict(
  {
    url: t.string,
    startedAt: Timestamp,
    milliseconds: Integer,
    /** The number of requests sent, including retries. */
    requests: Integer,
    /** Why the run stopped early; null if it did not. */
    stopped: nullable(t.string),
    must: Counts,
    info: Counts,
    checks: listOf(ReportedCheck),
  },
  'VerifyReport',
);
export type VerifyReport = t.TypeOf<typeof VerifyReport>;

/** Whether no `must` failed and the run did not stop early. */
export const isConforming = ({ must, stopped }: VerifyReport): boolean =>
  must.failed === 0 && stopped === null;
