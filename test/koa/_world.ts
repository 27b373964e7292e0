/** The tenants that HTTP tests serve: those of the conformance suite. */
export { acme, nobody, other } from '../../src/storage-kit/conformance/sample-tenants.js';
