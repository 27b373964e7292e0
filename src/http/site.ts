/**
 * Domains under which hosting services give each of their customers a name, so that two names are two sites:
 * the ones that front ends and tunnels use most. The complete list (publicsuffix.org) has 10,000 entries and
 * changes every week. So this one must not decide who is let in: it makes warnings more precise, and refuses
 * the patterns that are most likely a mistake.
 */
const sharedDomains: ReadonlySet<string> = new Set([
  'a.run.app',
  'amplifyapp.com',
  'app.github.dev',
  'appspot.com',
  'azurestaticapps.net',
  'azurewebsites.net',
  'cloudfront.net',
  'csb.app',
  'deno.dev',
  'firebaseapp.com',
  'fly.dev',
  'github.io',
  'gitlab.io',
  'gitpod.io',
  'glitch.me',
  'herokuapp.com',
  'loca.lt',
  'netlify.app',
  'ngrok-free.app',
  'ngrok-free.dev',
  'ngrok.app',
  'ngrok.dev',
  'ngrok.io',
  'onrender.com',
  'pages.dev',
  'replit.app',
  'replit.dev',
  'run.app',
  'surge.sh',
  'trycloudflare.com',
  'up.railway.app',
  'vercel.app',
  'web.app',
  'webcontainer.io',
  'workers.dev',
]);

/** What stands before the code of a country where that does not belong to one owner: `co.uk`. */
const secondLevels: ReadonlySet<string> = new Set([
  'ac',
  'co',
  'com',
  'edu',
  'go',
  'gov',
  'ne',
  'net',
  'or',
  'org',
]);

/** How many labels at the end of a name do not belong to one owner. */
const suffixLength = (labels: readonly string[]): number => {
  for (let count = labels.length; count > 1; count -= 1) {
    if (sharedDomains.has(labels.slice(-count).join('.'))) return count;
  }
  const [second = '', last = ''] = labels.slice(-2);
  return last.length === 2 && secondLevels.has(second) ? 2 : 1;
};

/**
 * Whether anybody can get a name directly below a domain, as below `com`, `co.uk` and `vercel.app`, as far as
 * it is known here.
 */
export const isSharedDomain = (domain: string): boolean => {
  const labels = domain.toLowerCase().split('.');
  return labels.length <= suffixLength(labels);
};

/** The part of a host name that belongs to one owner; an address is its own. */
const ownedDomain = (host: string): string => {
  if (/^[\d.]+$|^\[/.test(host)) return host;
  const labels = host.replace(/\.$/, '').split('.');
  return labels.slice(-(suffixLength(labels) + 1)).join('.');
};

/**
 * Whether browsers take two hosts, without a port, for one site if their schemes are equal. This is close to
 * what browsers do, not the same: use it for warnings only.
 */
export const areHostsOfOneSite = (left: string, right: string): boolean =>
  ownedDomain(left.toLowerCase()) === ownedDomain(right.toLowerCase());
