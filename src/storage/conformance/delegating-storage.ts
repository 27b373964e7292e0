import type { Storage } from '../port.js';

/** A storage that hands every operation to another one, which can be replaced. */
export type DelegatingStorage = Readonly<{ storage: Storage; use: (next: Storage) => void }>;

/** Starts without a storage to delegate to: using it before `use` throws. */
export const delegatingStorage = (): DelegatingStorage => {
  let current: Storage | undefined;
  const to = (): Storage => {
    if (current === undefined) throw new Error('there is no storage to delegate to');
    return current;
  };
  return {
    use: (next) => {
      current = next;
    },
    storage: {
      caller: (...args) => to().caller(...args),
      userByEmail: (...args) => to().userByEmail(...args),
      user: (...args) => to().user(...args),
      signUp: (...args) => to().signUp(...args),
      changePassword: (...args) => to().changePassword(...args),
      deleteAccount: (...args) => to().deleteAccount(...args),
      startSession: (...args) => to().startSession(...args),
      endSession: (...args) => to().endSession(...args),
      apiTokens: (...args) => to().apiTokens(...args),
      addApiToken: (...args) => to().addApiToken(...args),
      revokeApiToken: (...args) => to().revokeApiToken(...args),
      repos: (...args) => to().repos(...args),
      findings: (...args) => to().findings(...args),
      finding: (...args) => to().finding(...args),
      prs: (...args) => to().prs(...args),
      ready: (...args) => to().ready(...args),
    },
  };
};
