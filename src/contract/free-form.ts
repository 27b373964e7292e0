import * as t from 'io-ts';
import { described } from './codecs/described.js';

/** Text for which the contract lists no values (sections 2.1 to 2.3). */
export const freeForm = (description: string) =>
  described(t.string, description, 'Any text, served as stored.');
