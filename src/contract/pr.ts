import * as t from 'io-ts';
import { nullable } from '../vocabulary/nullable.js';
import { Timestamp } from '../vocabulary/timestamp.js';

/** The repository of a pull request, so that a row can be shown without a second look-up (contract, section 2.3). */
export const PrRepo = t.strict({ owner: t.string, repo: t.string }, 'PrRepo');

/**
 * An item of `GET /api/v1/prs` (contract, section 2.3). `id` is the fix draft's id, so two pull requests of one draft
 * share it. `prState` is the stored value, free-form, and may be null (contract, section 3.2).
 */
export const Pr = t.strict(
  {
    id: t.string,
    repoId: t.string,
    repo: PrRepo,
    advisoryId: t.string,
    package: t.string,
    fromVersion: t.string,
    toVersion: t.string,
    branch: t.string,
    hasCodemod: t.boolean,
    codemodSummary: t.string,
    ciStatus: t.string,
    prUrl: t.string,
    prState: nullable(t.string),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    reconciledAt: nullable(Timestamp),
  },
  'Pr',
);
export type Pr = t.TypeOf<typeof Pr>;
