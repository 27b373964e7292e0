import * as t from 'io-ts';
import { optional } from '../../../contract/codecs/combinators.js';
import { SecretString } from '../../../contract/codecs/text-and-numbers.js';
import { RateLimitPolicyText } from '../../../http/operations/rate-limit.js';
import type { OptionTexts } from '../../settings/options.js';
import { withSchema } from '../../settings/setting-codec.js';
import { Count, RequestTimeout, Seed, Share, Switch } from '../../settings/setting-codecs.js';

/** Long enough not to be guessed, and what the header `Authorization` can carry. */
const AdminToken = new SecretString('at least 16 visible ASCII characters without spaces', {
  pattern: /^[\x21-\x7E]{16,}$/,
});

/** So many requests per second, minute or hour. */
const RateLimit = withSchema(RateLimitPolicyText, {
  type: 'string',
  pattern: '^[1-9]\\d{0,8}/(?:s|min|h)$',
});

/** What goes wrong on demand, and who may demand it. */
export const SimulationSettings = t.strict(
  {
    mockControls: Switch,
    adminToken: optional(AdminToken),
    failRate: Share,
    seed: Seed,
    maxHang: RequestTimeout,
    journalSize: Count,
    rateLimit: optional(RateLimit),
    maxTenants: Count,
    maxTenantRows: Count,
  },
  'SimulationSettings',
);

export const simulationOptions: OptionTexts<keyof t.TypeOf<typeof SimulationSettings>> = {
  mockControls: {
    flags: '--mock-controls',
    variable: 'TRIAGE_MOCK_CONTROLS',
    fallback: true,
    negatable: 'simulate no failures, and serve nothing below /__admin/',
    description: 'simulate failures on request, and serve the controls below /__admin/; on by default',
  },
  adminToken: {
    flags: '--admin-token <token>',
    variable: 'TRIAGE_ADMIN_TOKEN',
    secret: true,
    description: 'bearer token that opens /__admin/ to other machines; default: open to this machine alone',
  },
  failRate: {
    flags: '--fail-rate <share>',
    variable: 'TRIAGE_FAIL_RATE',
    fallback: '0',
    description: 'answer this share of the requests to the API with 503, such as 0.05',
  },
  seed: {
    flags: '--seed <number>',
    variable: 'TRIAGE_SEED',
    fallback: '1',
    description: 'what chance depends on: the same seed makes the same requests fail',
  },
  maxHang: {
    flags: '--max-hang <ms>',
    variable: 'TRIAGE_MAX_HANG',
    fallback: '60000',
    description: 'milliseconds after which a request that hangs is cut off, and the longest delay of Prefer',
  },
  journalSize: {
    flags: '--journal <count>',
    variable: 'TRIAGE_JOURNAL',
    fallback: '1000',
    description: 'how many requests the journal keeps',
  },
  rateLimit: {
    flags: '--rate-limit <rate>',
    variable: 'TRIAGE_RATE_LIMIT',
    description: 'limit the requests of each credential to the API, such as 60/min; default: none',
  },
  maxTenants: {
    flags: '--max-tenants <count>',
    variable: 'TRIAGE_MAX_TENANTS',
    fallback: '1000',
    description: 'maximum number of tenants on demand; a new one replaces the oldest',
  },
  maxTenantRows: {
    flags: '--max-tenant-rows <count>',
    variable: 'TRIAGE_MAX_TENANT_ROWS',
    fallback: '500000',
    description: 'maximum number of rows of all tenants on demand; above it, the oldest are removed',
  },
};
