import * as t from 'io-ts';
import { nullable } from '../vocabulary/nullable.js';
import { FiniteNumber, Integer } from '../vocabulary/numbers.js';
import { Timestamp } from '../vocabulary/timestamp.js';
import { FindingStatus, Severity } from '../vocabulary/words.js';

const fields = {
  id: t.string,
  repoId: t.string,
  advisoryId: t.string,
  package: t.string,
  ecosystem: t.string,
  vulnerableRange: t.string,
  fixedRange: t.string,
  severity: Severity,
  reachability: FiniteNumber,
  exploitSignal: FiniteNumber,
  status: FindingStatus,
  ciStatus: t.string,
  discoveredAt: Timestamp,
  updatedAt: Timestamp,
  reconciledAt: nullable(Timestamp),
};

/** An item of `GET /api/v1/findings` (contract, section 2.2). */
export const Finding = t.strict(fields, 'Finding');
export type Finding = t.TypeOf<typeof Finding>;

/** The body of `GET /api/v1/findings/{id}`: a finding and, here only, `prCount` (contract, section 2.2). */
export const FindingDetail = t.strict({ ...fields, prCount: Integer }, 'FindingDetail');
export type FindingDetail = t.TypeOf<typeof FindingDetail>;
