/** The rows that tests are made of: those of the conformance suite. */
export * from '../src/storage-kit/conformance/sample-tenants.js';

/** The values of a field, a row each. */
export const column = <Row, Field extends keyof Row>(rows: readonly Row[], field: Field) =>
  rows.map((row) => row[field]);
