import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { UserProfile } from '../accounts/account-records.js';
import { JsonValue } from '../common/json.js';
import { described, nullable, oneOf, optional } from '../contract/codecs/combinators.js';
import { decode, describe, mismatch, type Problem, problem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count } from '../contract/codecs/text-and-numbers.js';
import { Duration, Timestamp } from '../contract/codecs/timestamp.js';
import { tenantNames } from './known-names.js';

const hour = 60 * 60 * 1000;

/** How long a tenant lasts that is asked for over HTTP, if nothing is said, in milliseconds. */
const defaultTtl = hour;

/** The longest time that a tenant may be asked to last, in milliseconds: seven days. */
const maxTtl = 7 * 24 * hour;

const Ids = oneOf({ same: null, fresh: null });

/** A tenant as it is asked for; `decodeNewTenant` reads the duration in it. */
export const NewTenant = new StrictObject(
  {
    from: described(
      optional(t.string),
      `The tenant to copy: ${tenantNames}. Left out: \`demo\`, or else the first one.`,
    ),
    fixture: described(
      optional(JsonValue),
      'The content of a fixture file to use instead; what is missing in it is completed. Its user, sessions and tokens are replaced.',
    ),
    ids: described(
      optional(Ids),
      'Whether repositories, scans, findings and pull requests keep their ids (`same`, the default) or get new ones (`fresh`).',
    ),
    ttl: described(
      optional(t.string),
      'After how long the tenant ends in real time, whatever its clock shows, such as `10m` or `PT2H`; at most 7 days. Left out: 1 hour.',
    ),
  },
  'tenant',
);

/** A tenant that is asked for. `ttl`: how many milliseconds it lasts; null: until it is removed. */
export type TenantRequest = Pick<t.TypeOf<typeof NewTenant>, 'from' | 'fixture'> &
  Readonly<{ ids: t.TypeOf<typeof Ids>; ttl: number | null }>;

/** Decodes a tenant that is asked for. `ttl`: how many milliseconds it lasts if nothing is said. */
export const decodeNewTenant = (
  value: unknown,
  ttl: number | null = defaultTtl,
): E.Either<readonly Problem[], TenantRequest> => {
  const decoded = decode(NewTenant, value);
  if (E.isLeft(decoded)) return decoded;
  const { from, fixture, ids = 'same', ttl: wanted } = decoded.right;
  const problems: Problem[] = [];
  if (from !== undefined && fixture !== undefined)
    problems.push(problem(['fixture'], 'give from or fixture, not both'));
  const duration = wanted === undefined ? E.right(ttl) : Duration.decode(wanted);
  const lasts = E.isRight(duration) ? duration.right : 0;
  if (lasts !== null && (lasts <= 0 || lasts > maxTtl))
    problems.push(
      mismatch(
        ['ttl'],
        'a duration of more than zero and at most 7d, such as 30m, 1h or PT2H',
        describe(wanted),
      ),
    );
  return problems.length > 0 ? E.left(problems) : E.right({ from, fixture, ids, ttl: lasts });
};

const facts = {
  id: described(t.string, 'The id of its user, which names it in the other controls.'),
  from: described(nullable(t.string), 'The fixture that was copied; null: its data was sent.'),
  user: described(
    new StrictObject(UserProfile.type.props, 'user'),
    'Its user. The id and the e-mail address are its own.',
  ),
  rows: described(Count, 'How many repositories, scans, findings and pull requests it has.'),
  createdAt: described(Timestamp, 'When it was made, in real time.'),
  expiresAt: described(nullable(Timestamp), 'When it ends, in real time; null: when removed.'),
};

/** A tenant that was made on demand, without its secrets. */
export const OnDemandTenant = new StrictObject(facts, 'OnDemandTenant');
export type OnDemandTenant = t.TypeOf<typeof OnDemandTenant>;

const State = oneOf({ valid: null, expired: null, revoked: null });

/** What the credentials of a tenant are made to be. */
export const CredentialStates = new StrictObject(
  {
    session: described(optional(State), 'Its sessions. Those that begin later are valid.'),
    token: described(optional(State), 'Its API tokens. Those that are minted later are valid.'),
  },
  'credentials',
);

/** A tenant that was just made, with its credentials. */
export const MadeTenant = new StrictObject(
  {
    ...facts,
    session: described(t.string, 'The value of the cookie `session`.'),
    token: described(t.string, 'The bearer token.'),
    password: described(t.string, 'The password for `/login`, with the e-mail address of the user.'),
  },
  'MadeTenant',
);
export type MadeTenant = t.TypeOf<typeof MadeTenant>;

/** How many tenants on demand there may be, and how many rows they may have in all. */
export const defaultTenantLimits = { maxTenants: 1000, maxRows: 500_000 };
export type TenantLimits = Readonly<typeof defaultTenantLimits>;
