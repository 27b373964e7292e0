import * as E from '#fp-ts/Either';
import { isApiTokenValid, isSessionValid } from '../accounts/credential-validity.js';
import { hashSecret } from '../accounts/secrets.js';
import { timestampAt } from '../codecs/timestamp.js';
import type { MadeCredentials, Prepared } from '../in-process/made-credentials.js';
import type { Tenant } from '../in-process/tenant.js';
import { fixtureAccount } from '../storage/fixtures/fixture-records.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';

/** Tenants, and what makes the storage accept those of their credentials that were made. */
export type HandlerTenants = Readonly<{
  tenants: readonly Tenant[];
  /** `left`: which tenant got no credentials, and why. */
  save: () => Promise<E.Either<readonly string[], void>>;
}>;

/**
 * The tenants of fixtures that are loaded now, with the first credentials of each that are valid. Missing
 * ones are made. All are known at once, so that handlers can be made without waiting.
 */
export const handlerTenants = (
  fixtures: readonly Fixture[],
  made: MadeCredentials,
  now: number,
): HandlerTenants => {
  const prepared: { name: string; save: Prepared['save'] }[] = [];
  const tenants = fixtures.map(({ name, dataset }): Tenant => {
    const at = timestampAt(now);
    const account = fixtureAccount(dataset, hashSecret, now);
    const secretOf = (found: string | undefined, prepare: () => Prepared): string => {
      if (found !== undefined) return found;
      const { value, save } = prepare();
      prepared.push({ name, save });
      return value;
    };
    const { id } = account.user;
    const session = account.sessions.findIndex((each) => isSessionValid(each, at));
    const token = account.apiTokens.findIndex((each) => isApiTokenValid(each, at));
    return {
      name,
      session: secretOf(dataset.sessions[session]?.value, () => made.prepareSession(id)),
      token: secretOf(dataset.apiTokens[token]?.token, () => made.prepareToken(id)),
    };
  });
  return {
    tenants,
    save: async () => {
      const problems: string[] = [];
      for (const { name, save } of prepared) {
        const saved = await save();
        if (E.isLeft(saved)) problems.push(`${name}: cannot create credentials (${saved.left._tag})`);
      }
      return problems.length > 0 ? E.left(problems) : E.right(undefined);
    },
  };
};
