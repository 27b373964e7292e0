import * as t from 'io-ts';
import { described, freeForm, nullable } from './codecs/combinators.js';
import { Timestamp } from './codecs/timestamp.js';
import { pageOf } from './page-and-limit.js';

/** The repository of a pull request (contract, section 2.3). */
export const PrRepo = t.strict(
  {
    owner: described(t.string, 'Name of the owner of the repository.'),
    repo: described(t.string, 'Name of the repository.'),
  },
  'PrRepo',
);
export type PrRepo = t.TypeOf<typeof PrRepo>;

/** An item of `GET /api/v1/prs` (contract, sections 2.3 and 3.2). */
export const Pr = t.strict(
  {
    id: described(
      t.string,
      'Id of the fix draft, which is the id of the finding. Two pull requests of one draft share it.',
    ),
    repoId: described(t.string, 'Id of the connected repository.'),
    repo: described(PrRepo, 'The repository by name, so that a row can be shown without a second request.'),
    advisoryId: described(t.string, 'Identifier of the security advisory.'),
    package: described(t.string, 'Name of the dependent package.'),
    fromVersion: described(t.string, 'The vulnerable version.'),
    toVersion: described(t.string, 'The fixed version.'),
    branch: described(t.string, 'Source branch of the pull request.'),
    hasCodemod: described(t.boolean, 'Whether it contains a codemod.'),
    codemodSummary: described(
      t.string,
      'Part of the code change; it may span several lines, and may be cut off.',
    ),
    ciStatus: freeForm('CI result for the pull request.'),
    prUrl: described(t.string, 'URL of the pull request.'),
    prState: described(
      nullable(freeForm('The stored state.')),
      'The stored state, which is free-form; the filter `status` maps it to three values.',
      'It may be null.',
    ),
    createdAt: described(Timestamp, 'When the pull request was created.'),
    updatedAt: described(Timestamp, 'When it last changed.'),
    reconciledAt: described(nullable(Timestamp), 'When it was last reconciled, or null.'),
  },
  'Pr',
);
export type Pr = t.TypeOf<typeof Pr>;

/** The body of `GET /api/v1/prs` (contract, section 2.4). */
export const PrPage = pageOf(Pr);
export type PrPage = t.TypeOf<typeof PrPage>;
