import { nearest } from '../../common/messages.js';
import type { Environment } from './setting-sources.js';

const prefix = 'TRIAGE_';

/**
 * A warning for each variable that looks like a setting of the program and is none of the known ones. Those
 * that Kubernetes sets for a service called `triage-…` are not meant for it.
 */
export const unknownVariables = (environment: Environment, known: readonly string[]): readonly string[] =>
  Object.entries(environment)
    .filter(
      ([name, value = '']) => name.startsWith(prefix) && !known.includes(name) && !isService(name, value),
    )
    .map(([name]) => name)
    .sort()
    .map((name) => {
      const bare = name.slice(prefix.length);
      const meant = known.includes(bare) ? bare : nearestSetting(bare, known);
      return `warning: no setting is called ${name}${meant === null ? '' : `; did you mean ${meant}?`}`;
    });

/** The known variable whose name is nearest; the prefix that they share would make all of them look alike. */
const nearestSetting = (bare: string, known: readonly string[]): string | null => {
  const own = known.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const best = nearest(bare, own);
  return best === null ? null : `${prefix}${best}`;
};

/** Such as `TRIAGE_API_SERVICE_HOST`, `TRIAGE_API_PORT=tcp://…` and `TRIAGE_API_PORT_4000_TCP_ADDR`. */
const isService = (name: string, value: string): boolean =>
  /_SERVICE_(?:HOST|PORT)|_PORT_\d+_/.test(name) || /^(?:tcp|udp|sctp):\/\//.test(value);
