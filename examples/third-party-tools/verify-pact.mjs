// Verifies a pact against a server: node verify-pact.mjs http://127.0.0.1:4000 pact.json
import { Verifier } from '@pact-foundation/pact';

const [, , providerBaseUrl, pact] = process.argv;

await new Verifier({
  provider: 'triage-api',
  providerBaseUrl,
  pactUrls: [pact],
  providerStatesSetupUrl: `${providerBaseUrl}/__admin/pact/provider-states`,
  logLevel: 'error',
}).verifyProvider();
