import type * as t from 'io-ts';
import type { Dataset } from '../records/dataset.js';

type EncodedDataset = t.OutputOf<typeof Dataset>;

/** The collections of a fixture file, each with its rows. */
export type FixtureRows = Required<
  Pick<EncodedDataset, 'sessions' | 'apiTokens' | 'repos' | 'scans' | 'fixDrafts' | 'pullRequests'>
>;

/** A patch of one tenant's data, and when it happens. */
export type TimedPatch = Readonly<{
  /** How long after the data was loaded, such as `+30s`. */
  at: string;
  /** The name or the user id of the tenant; may be missing if there is only one. */
  tenant?: string;
  /** A JSON patch (RFC 6902), or a merge patch (RFC 7396). */
  patch: object;
  /** What happens, for whoever reads it. */
  note?: string;
}>;
