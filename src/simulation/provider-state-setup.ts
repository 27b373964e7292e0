import * as E from '#fp-ts/Either';
import type { Json } from '../codecs/json-value.js';
import { problem } from '../codecs/problem.js';
import type { Dataset } from '../records/dataset.js';
import { patchOf } from './dataset-patch.js';
import type { FaultRules } from './fault-rules.js';
import { type ChangeRefused, type LiveData, refusalLines, type TenantCredentials } from './live-data.js';
import type { MadeTenant } from './on-demand-tenant.js';
import { exampleValues, type ProviderState, type ResolvedState, resolveState } from './provider-state.js';
import type { ClockState } from './simulated-clock.js';
import type { Values } from './substitute.js';

type Undo = () => Promise<unknown>;

/** What setting a state up has done. */
export type SetUp = Readonly<{
  values: Values;
  /** Undoes what concerns everybody: the clock, faults, and the data of tenants that others see. */
  restore: Undo;
  /** Removes the tenant that was made. */
  removeTenant: Undo;
}>;

type Dependencies = Readonly<{ live: LiveData; faults: FaultRules }>;

/** Brings the server into a state. `left`: why not; then nothing has changed, except for a reset. */
export const setUpState = async (
  { live, faults }: Dependencies,
  state: ProviderState,
  params: Values,
): Promise<E.Either<readonly string[], SetUp>> => {
  const undo: Undo[] = [];
  let removeTenant: Undo = async () => {};
  const restore: Undo = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  const failed = async (lines: readonly string[]): Promise<E.Either<readonly string[], never>> => {
    await restore();
    await removeTenant();
    return E.left(lines);
  };
  const given = { ...state.params, ...declaredOnly(params, state.params ?? {}) };
  const first = resolveState(state, { ...exampleValues, ...given });
  if (E.isLeft(first)) return failed(refusalLines({ _tag: 'InvalidChange', problems: first.left }));
  const { clock, tenant } = first.right;

  if (state.reset === true) await live.reset();
  if (clock !== null) {
    const before = live.clock.state();
    const moved = await live.clock.change(clock);
    if (E.isLeft(moved)) return failed(refusalLines({ _tag: 'InvalidChange', problems: moved.left }));
    undo.push(() => giveBack(live, before));
  }
  const found = await tenantOf(live, tenant);
  if (E.isLeft(found)) return failed(refusalLines(found.left));
  const owner = found.right;
  if (owner !== null && 'password' in owner) removeTenant = () => live.tenants.remove(owner.user.id);

  const own = owner === null ? {} : valuesOf(owner);
  const resolved = resolveState(state, { ...exampleValues, ...own, ...given });
  if (E.isLeft(resolved)) return failed(refusalLines({ _tag: 'InvalidChange', problems: resolved.left }));
  const { patch, faults: rules, values } = resolved.right;
  if (patch !== undefined && owner !== null) {
    const patched = await patchTenant(live, owner.user.id, patch);
    if (E.isLeft(patched)) return failed(refusalLines(patched.left));
    // A tenant that was made is removed as a whole.
    if (!('password' in owner)) undo.push(patched.right);
  }
  for (const rule of rules) {
    const added = faults.add(rule);
    if (E.isLeft(added)) return failed(added.left);
    undo.push(async () => faults.remove(added.right.id));
  }
  return E.right({ values: { ...own, ...values }, restore, removeTenant: () => removeTenant() });
};

/** Parameters that the state does not declare are meant for other providers. */
const declaredOnly = (params: Values, declared: Values): Values =>
  Object.fromEntries(Object.entries(params).filter(([name]) => Object.hasOwn(declared, name)));

const tenantOf = async (
  live: LiveData,
  tenant: ResolvedState['tenant'],
): Promise<E.Either<ChangeRefused, TenantCredentials | MadeTenant | null>> => {
  if (tenant === null) return E.right(null);
  if (typeof tenant !== 'string') return live.tenants.create(tenant);
  const credentials = live.credentialsOf(tenant);
  return credentials === null
    ? E.left({ _tag: 'InvalidChange', problems: [problem(['tenant'], `there is no tenant ${tenant}`)] })
    : E.right(credentials);
};

const valuesOf = ({ user, session, token, ...rest }: TenantCredentials | MadeTenant): Values => ({
  userId: user.id,
  email: user.email,
  name: user.name,
  password: 'password' in rest ? rest.password : null,
  session,
  token,
});

/** Patches a tenant. `right`: what undoes that. */
const patchTenant = async (
  live: LiveData,
  tenant: string,
  patch: Json,
): Promise<E.Either<ChangeRefused, Undo>> => {
  let before: Dataset | undefined;
  const changed = await live.change(tenant, (dataset) => {
    before = dataset;
    return patchOf(patch)(dataset);
  });
  return E.map(() => () => live.change(tenant, (dataset) => E.right(before ?? dataset)))(changed);
};

/** Lets the clock show again what it showed. */
const giveBack = (live: LiveData, { now, running, simulated }: ClockState): Promise<unknown> =>
  simulated ? live.clock.change({ now, advance: undefined, running }) : live.clock.release();
