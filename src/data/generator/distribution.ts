import * as t from 'io-ts';

/** How the values of generated data are spread. */
export const Distribution = t.keyof(
  { realistic: null, uniform: null, edge: null },
  'one of realistic, uniform, edge',
);
export type Distribution = t.TypeOf<typeof Distribution>;
