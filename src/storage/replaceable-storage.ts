import type { Storage } from './port.js';

/** A storage in front of another that can be exchanged while it serves: each question goes to the one of the moment. */
export const replaceableStorage = (
  first: Storage,
): Readonly<{ storage: Storage; replace: (next: Storage) => void }> => {
  let current = first;
  return {
    storage: {
      credentials: (hashes) => current.credentials(hashes),
      repos: (caller) => current.repos(caller),
      findings: (caller, query) => current.findings(caller, query),
      finding: (caller, id) => current.finding(caller, id),
      prs: (caller, query) => current.prs(caller, query),
      ready: () => current.ready(),
    },
    replace: (next) => {
      current = next;
    },
  };
};
