import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { JsonValue } from '../common/json.js';
import { described, listOf, oneOf, optional } from '../contract/codecs/combinators.js';
import { type Problem, problem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { integerFrom } from '../contract/codecs/text-and-numbers.js';
import { DurationCodec } from '../contract/codecs/timestamp.js';
import { maxLimit } from '../contract/page-and-limit.js';
import { type FaultRules, NewFaultRule } from './fault-rules.js';
import { tenantNames } from './known-names.js';
import { MergePatch } from './patches.js';
import { ClockChange } from './simulated-clock.js';

const hour = 60 * 60 * 1000;

/** How long a tenant lasts that is made over HTTP, if nothing is said, in milliseconds. */
export const defaultTtl = hour;

const Ttl = new DurationCodec(
  'a duration of more than zero and at most 7d, such as 30m, 1h or PT2H',
  (milliseconds) => milliseconds > 0 && milliseconds <= 7 * 24 * hour,
);

const State = oneOf({ valid: null, expired: null, revoked: null });

/** What the credentials of a tenant are made to be. */
export const CredentialStates = new StrictObject(
  {
    session: described(optional(State), 'Its sessions. Those that begin later are valid.'),
    token: described(optional(State), 'Its API tokens. Those that are minted later are valid.'),
  },
  'credentials',
);

const { tenant: _, ...ownRuleProps } = NewFaultRule.props;

const startProps = {
  rules: described(
    optional(listOf(new StrictObject(ownRuleProps, 'fault rule'))),
    'Rules as of `POST /__admin/faults`, for its requests alone.',
  ),
  clock: described(optional(ClockChange), 'How its own clock differs from that of the server.'),
  credentials: described(optional(CredentialStates), 'What its session and its token are made to be.'),
};

/** What a tenant begins with besides its data, and has again after a reset. */
export const TenantStart = new StrictObject(startProps, 'start');
export type TenantStart = t.TypeOf<typeof TenantStart>;

/** What a tenant on demand is made of: the body of `POST /__admin/tenants`. */
export const Recipe = new StrictObject(
  {
    from: described(
      optional(t.string),
      `The tenant to copy: ${tenantNames}. Left out: \`demo\`, or else the first one.`,
    ),
    fixture: described(
      optional(JsonValue),
      'The content of a fixture file to use instead; what is missing in it is completed. Its user, sessions and tokens are replaced.',
    ),
    state: described(optional(t.string), 'A state that it is in, such as `listFindings.503`.'),
    limit: described(
      optional(integerFrom(1, maxLimit)),
      'How many rows your page asks for; some states depend on it.',
    ),
    amounts: described(optional(JsonValue), 'How many ordinary rows to begin with instead, by collection.'),
    client: described(optional(JsonValue), 'What your client has to do; it is not looked at.'),
    ids: described(
      optional(oneOf({ same: null, fresh: null })),
      'Whether repositories, scans, findings and pull requests keep their ids (`same`, the default) or get new ones (`fresh`).',
    ),
    patch: described(
      optional(MergePatch),
      'How its data differs from what is copied, as of `POST /__admin/tenants/{id}/patch`.',
    ),
    ...startProps,
    ttl: described(
      optional(Ttl),
      'After how long the tenant ends in real time, whatever its clock shows, such as `10m` or `PT2H`; at most 7 days. Left out: 1 hour.',
    ),
  },
  'tenant',
);

/** A tenant that is to be made. `ttl`: how many milliseconds it lasts; null: until it is removed. */
export type Recipe = Partial<Omit<t.TypeOf<typeof Recipe>, 'ttl'>> & Readonly<{ ttl: number | null }>;

/** Adds the rules that a tenant begins with, and returns what is wrong with those that are refused. */
export const addRules =
  ({ add }: Pick<FaultRules, 'add'>) =>
  (tenant: string, { rules = [] }: TenantStart): readonly Problem[] =>
    rules.flatMap((rule, i) => {
      const added = add({ ...rule, tenant });
      return E.isRight(added) ? [] : added.left.map((line) => problem(['rules', String(i)], line));
    });
