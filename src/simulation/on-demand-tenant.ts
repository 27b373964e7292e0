import * as t from 'io-ts';
import { UserProfile } from '../accounts/account-records.js';
import { described, nullable } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count } from '../contract/codecs/text-and-numbers.js';
import { Timestamp } from '../contract/codecs/timestamp.js';

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
