import * as E from '#fp-ts/Either';
import type { Reset } from './controls/controls.js';
import { addRules } from './recipe.js';
import type { ChangeRefused, LiveData, Simulation } from './simulation.js';

/**
 * Goes back to the start: data, clock, credentials, rules, journal and storage; accounts that signed up stay.
 * With a tenant, its data, clock, credentials and rules alone. `left`: there is no such tenant.
 */
export const resetAll = async (
  { faults, journal, names, storage }: Simulation,
  live: LiveData | null,
  tenant?: string,
): Promise<E.Either<ChangeRefused, Reset>> => {
  const named = names.withTenantId({ tenant });
  const userId = E.isRight(named) ? named.right.tenant : undefined;
  const rules = faults.list(userId).length;
  const requests = tenant === undefined ? journal.entries({}).length : 0;
  const none = { tenants: 0, clock: false, data: false, credentials: false };
  const reset = live === null ? E.right(none) : await live.reset(tenant);
  if (E.isLeft(reset)) return reset;
  faults.clear(userId);
  const start = live?.tenants.start(userId ?? '');
  if (userId !== undefined && start !== undefined) addRules(faults)(userId, start);
  if (tenant === undefined) {
    journal.clear();
    storage.set('fine');
  }
  return E.right({ rules, requests, ...reset.right });
};
