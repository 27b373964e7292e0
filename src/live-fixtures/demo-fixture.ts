import type { Fixture } from '../storage/fixtures/read-fixtures.js';

/** Whether new accounts start with the rows of this fixture: the one in `demo.json`. */
export const isDemoFixture = ({ name }: Fixture): boolean => name === 'demo';
