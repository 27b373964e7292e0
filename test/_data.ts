/** The rows that tests are made of: those of the conformance suite. */
export * from '../src/storage/conformance/sample-tenants.js';
