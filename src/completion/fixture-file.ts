import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { listOf } from '../codecs/list.js';
import { optional } from '../codecs/optional.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Identifier } from '../codecs/text.js';
import { timestampAt } from '../codecs/timestamp.js';
import { Dataset } from '../records/dataset.js';
import { SparseApiToken, SparseSession, SparseUser, sparseCollections } from './sparse-codecs.js';

const { $schema, asOf } = Dataset.props;

/** When the data of an incomplete file without `asOf` was up to date. */
export const defaultAsOf = timestampAt(Date.UTC(2026, 10, 20, 12));

/**
 * The content of a fixture file as people write it: everything may be missing. A complete file, which
 * `Dataset` accepts, is a special case. `completeDataset` makes a complete file of it.
 */
export const FixtureFile = new StrictObject(
  {
    $schema,
    extends: described(
      optional(t.string),
      'The fixture whose rows this file starts with: the name of a shipped one such as "acme", or a file such as "./_base.json".',
    ),
    remove: described(
      optional(listOf(Identifier)),
      'Ids of rows of the extended fixture that this one leaves out.',
    ),
    asOf: described(
      asOf.codec,
      `${asOf.description} An incomplete file without it is completed with ${defaultAsOf}.`,
    ),
    user: described(
      optional(SparseUser),
      'The user of this tenant. Default: made from the name of the file.',
    ),
    sessions: described(
      optional(listOf(SparseSession)),
      'Sessions of the user. Default: `NAME-session` if the user has no password.',
    ),
    apiTokens: described(
      optional(listOf(SparseApiToken)),
      'API tokens of the user. Default: `NAME-token` if the user has no password.',
    ),
    ...sparseCollections,
  },
  'fixture file',
);
export type FixtureFile = t.TypeOf<typeof FixtureFile>;
