import * as t from 'io-ts';
import { Integer } from '../contract/codecs/text-and-numbers.js';

/** How many rows of each kind the API serves for a tenant. */
export const rowCounts = { repos: Integer, scans: Integer, fixDrafts: Integer, pullRequests: Integer };

/** How many credentials of each kind a tenant has. */
export const credentialCounts = { sessions: Integer, apiTokens: Integer };

/** How many records of each kind a tenant has. */
export const RecordCounts = t.strict({ ...rowCounts, ...credentialCounts }, 'record counts');
export type RecordCounts = t.TypeOf<typeof RecordCounts>;
