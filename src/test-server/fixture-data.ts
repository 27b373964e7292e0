import type * as t from 'io-ts';
import type { Dataset } from '../records/dataset.js';

type Written = t.OutputOf<typeof Dataset>;

/** What a fixture file holds: one tenant. Everything but `user` may be left out; docs/fixtures.md explains each field. */
export type FixtureData = Readonly<Pick<Written, 'user'> & Partial<Omit<Written, 'user'>>>;
