import { isExposed } from './server-url.js';
import type { ServeSettings } from './settings/serve-settings.js';

type Place = Pick<ServeSettings, 'host' | 'trustProxy' | 'allowedHosts'> &
  Readonly<{ address: string; port: number }>;

/** The warning that others can reach a server, and what they can do; null: they cannot, or it is no risk. */
export const exposureWarning = (
  { host, trustProxy, allowedHosts, address, port }: Place,
  risk: string | null,
): string | null => {
  if (risk === null || !isExposed({ host: address, trustProxy, allowedHosts })) return null;
  const where = `${trustProxy ? 'the proxy or ' : ''}port ${port} of ${host}`;
  return `OPEN TO OTHER MACHINES: anyone who can reach ${where} ${risk}`;
};
