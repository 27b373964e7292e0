/** The tenants that HTTP tests serve: those of the conformance suite. */
export { acme, nobody, other } from '../../src/storage/conformance/sample-tenants.js';
