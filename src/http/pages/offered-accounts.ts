import type { Context } from 'koa';
import type { DemoAccounts } from '../../accounts/demo-accounts.js';
import type { PageContext } from '../../pages/layout.js';
import type { OfferedAccounts } from '../../pages/log-in-pages.js';
import type { AppDependencies } from '../app-dependencies.js';

/** Which demo accounts a visitor is offered. */
export type Offers = Readonly<{
  /** Those that a page shows; `next`: where to return to after a login. */
  offeredOn: (ctx: Context, context: PageContext, next: string | null) => OfferedAccounts;
  /** Finds one that the visitor may log in to without a password. */
  findFor: (ctx: Context) => DemoAccounts['find'];
}>;

/**
 * The accounts of the package are open to everyone. Those of other fixtures are open to visitors on this
 * machine; on others, they are shown only with their passwords, as `--show-passwords` demands.
 */
export const offers = ({
  demoAccounts,
  isLocal,
}: Pick<AppDependencies, 'demoAccounts' | 'isLocal'>): Offers => {
  const isOpenTo = (ctx: Context, { areShipped }: DemoAccounts): boolean => areShipped || isLocal(ctx.req);
  return {
    offeredOn: (ctx, { user }, next) => {
      const accounts = demoAccounts();
      const isOpen = isOpenTo(ctx, accounts);
      const isUsable = isOpen || accounts.shown.every(({ password }) => password !== null);
      const { shown, total } = isUsable ? accounts : { shown: [], total: 0 };
      return { shown, total, isOpen, next, current: user?.email ?? null };
    },
    findFor: (ctx) => {
      const accounts = demoAccounts();
      return isOpenTo(ctx, accounts) ? accounts.find : () => null;
    },
  };
};
