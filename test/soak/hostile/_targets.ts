import type { Random } from '../core/_random.js';

/** A request target, and the path that it clearly means; null where that is open to interpretation. */
export type Target = Readonly<{ target: string; path: string | null; mayClose: boolean }>;

const pages = ['/', '/login', '/signup', '/settings/api-tokens', '/docs', '/healthz', '/readyz'] as const;
const lists = ['/api/v1/repos', '/api/v1/findings', '/api/v1/prs'] as const;
const unknown = [
  ...(['/api', '/api/v1', '/api/v2/repos', '/api/v1/Repos', '/api/v1/repos/', '/API/v1/prs'] as const),
  ...([
    '/.env',
    '/.git/config',
    '/wp-login.php',
    '/admin',
    '/metrics',
    '/constructor',
    '/__proto__',
  ] as const),
  ...([
    '/settings',
    '/settings/account',
    '/logout',
    '/settings/api-tokens/x',
    '/favicon.ico',
    '/docs/',
  ] as const),
] as const;
const rare = ['/openapi.json', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'] as const;

const safe = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~';
const visible = `${safe}!$&'()*+,;=:@%/?[]{}|^"<>\``;

const parameters = ['page', 'limit', 'repoId', 'severity', 'status'] as const;
const values = [
  ...(['1', '2', '25', '100', '0', '-1', '1.5', '1e2', '+1', '%201', '', '9007199254740993'] as const),
  ...([
    'high',
    'critical',
    'pending',
    'open',
    'merged',
    'closed',
    'HIGH',
    'null',
    'undefined',
    'NaN',
  ] as const),
  ...([
    'repo_storefront',
    "'%20OR%201=1--",
    '%00',
    '%',
    '%zz',
    '%ff%fe',
    '%F0%9F%98%80',
    '%E2%80%AE',
  ] as const),
] as const;
const names = [
  '__proto__',
  'constructor',
  'page[]',
  'page%5B0%5D',
  'PAGE',
  '',
  '%00',
  'token',
  'a%0d%0ab',
] as const;

const query = (random: Random): string => {
  if (random.chance(0.35)) return '';
  if (random.chance(0.02)) return `?${random.text(visible, 40).repeat(random.between(1, 100))}`;
  if (random.chance(0.005)) return `?${'page=1&'.repeat(random.between(1, 1500))}`;
  const pairs = Array.from({ length: random.pick([1, 1, 2, 2, 3, 6]) }, () => {
    const name = random.chance(0.85) ? random.pick(parameters) : random.pick(names);
    const value = random.chance(0.8) ? random.pick(values) : random.text(visible, random.below(40));
    return random.chance(0.03) ? name : `${name}=${value}`;
  });
  return `?${pairs.join('&')}`;
};

const id = (random: Random): string =>
  random.chance(0.5)
    ? random.pick(['fix_0001', 'fix_0002', 'fix_0040', 'draft_1', 'a', '%F0%9F%98%80'])
    : random.pick([
        random.text(safe, random.between(1, 30)),
        ...(['%2F', '%2e%2e%2f', '%', '%zz', '%00', '%ff', '..', '.', '%252e', '*', ':id', '{id}'] as const),
        random.text(safe, 30).repeat(100),
      ]);

const plainPath = (random: Random): string => {
  const kind = random.next();
  if (kind < 0.5) return random.pick(lists);
  if (kind < 0.68) return `/api/v1/findings/${id(random)}`;
  if (kind < 0.84) return random.pick(pages);
  if (kind < 0.845) return random.pick(rare);
  if (kind < 0.95) return random.pick(unknown);
  return `/${random.text(safe, random.between(0, 60))}`;
};

/** Paths that programs read in more than one way. */
const ambiguous = (random: Random): string => {
  const path = plainPath(random);
  return random.pick([
    `/${path}`,
    `//a#@b`,
    `//x@y${path}#`,
    `${path}#`,
    `${path}#@evil.test/`,
    path.replaceAll('/', '\\'),
    `/..${path}`,
    `/api/v1/../..${path}`,
    `/%2e%2e${path}`,
    `${path}/..;/`,
    `/./${path}`,
    path.replace('api', '%61pi'),
    `${path};jsessionid=1`,
    `${path}%20`,
    `${path}%0d%0aX-Injected:%201`,
    `http://127.0.0.1${path}`,
    `HTTP://EVIL.TEST:80${path}`,
    `http://user:pass@127.0.0.1${path}`,
    `https://[::1]${path}`,
    `http:${path}`,
    `ftp://127.0.0.1${path}`,
    `javascript:alert(1)`,
    '*',
    random.text(visible, random.between(1, 40)),
    `/${random.text(visible, random.between(1, 200))}`,
    `/${random.text(safe, 90).repeat(random.between(20, 100))}`,
  ]);
};

/** A random request target. */
export const randomTarget = (random: Random): Target => {
  if (random.chance(0.88)) {
    const path = plainPath(random);
    const target = `${path}${query(random)}`;
    return { target, path, mayClose: target.includes('#') };
  }
  return {
    target: `${ambiguous(random)}${random.chance(0.5) ? query(random) : ''}`,
    path: null,
    mayClose: true,
  };
};
