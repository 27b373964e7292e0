import { randomFor } from '../_random.js';
import type { Ports } from './_servers.js';

/** What one exchange sends. In its bytes, `{{name}}` stands for a value of the answers before. */
export type Planned = Readonly<{
  category: string;
  /** What the report calls it. */
  label: string;
  bytes: string;
  to: keyof Ports;
  /** Whether the client closes its side behind the bytes. */
  endsThere: boolean;
  /** Under which name to keep which value of the answer. */
  keep: Readonly<Record<string, string>>;
}>;

/** What requests are planned for: the rows of the fixtures, and where the draws begin. */
export type Plan = Readonly<{ tenants: readonly Tenant[]; seed: number; isPostgres: boolean }>;
export type Tenant = Readonly<{ name: string; findings: readonly string[]; repos: readonly string[] }>;

type More = Readonly<{ method?: string; body?: string; keep?: Planned['keep']; to?: keyof Ports }>;

/** Both servers get the same host: otherwise their pages and their checks of the origin would differ. */
const host = 'Host: 127.0.0.1:4000';

/** Makes requests of a category; `headers` are lines. One without a line for `Host` gets it. */
export const asking =
  (category: string) =>
  (target: string, headers: readonly string[] = [], more: More = {}): Planned => {
    const { method = 'GET', body, keep = {}, to = 'main' } = more;
    const lines = [
      ...(headers.some((line) => /^host:/i.test(line)) ? [] : [host]),
      ...headers,
      ...(body === undefined ? [] : ['Content-Length: {{length}}']),
    ];
    const text = [`${method} ${target} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n');
    const shown = body === undefined ? '' : ` with ${body.slice(0, 100)}`;
    const label = `${method} ${target} [${headers.join('; ')}]${shown}`;
    return { category, label, bytes: Buffer.from(text).toString('latin1'), to, endsThere: false, keep };
  };

/** Bytes that need not be a request. */
const rawBytes = (category: string, bytes: string, endsThere = false): Planned => {
  const label = `the bytes ${JSON.stringify(bytes.length > 300 ? `${bytes.slice(0, 200)}…` : bytes)}`;
  return { category, label, bytes, to: 'main', endsThere, keep: {} };
};

/** The words of a text; a list of values is easier to read so. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The lines of a text, without the space around them. Short ones stand on one line, with ` | ` between. */
export const linesOf = (text: string): readonly string[] => text.trim().split(/\s*\n\s*| \| /);

export const cookie = (tenant: string): string => `Cookie: session=${tenant}-session`;
const bearer = (tenant: string): string => `Authorization: Bearer ${tenant}-token`;

const apiPaths = words('/api/v1/repos /api/v1/findings /api/v1/findings/fix_0001 /api/v1/prs');
const lists = words('/api/v1/findings /api/v1/prs');

/** Paths of all kinds: operations, pages, assets, and what there is not. */
const allPaths = [
  ...apiPaths,
  ...words(`/api/v1/findings/none /api/v1 /api/v2/repos / /login /signup /logout /session /settings/api-tokens
    /settings/account /explore /explore/findings /explore/changes /healthz /readyz /metrics /openapi.json
    /docs /assets/explore.css /assets/explore.js /__admin /__admin/faults /__admin/openapi.json /favicon.ico
    /nothing`),
];

/** The requests to the API and to the server as such: none of them changes anything. */
export const readingRequests = (plan: Plan): readonly Planned[] => [
  ...credentialRequests(),
  ...plan.tenants.flatMap((tenant) => tenantRequests(tenant, plan)),
  ...parameterRequests(),
  ...drawnRequests(plan),
  ...methodRequests(plan),
  ...originRequests(plan),
  ...conditionalRequests(),
  ...codingRequests(plan),
  ...(plan.isPostgres ? [] : [...targetRequests(), ...hostRequests(), ...preferRequests()]),
  ...wireRequests(),
];

const credentialRequests = (): readonly Planned[] => {
  const cookies = linesOf(`Cookie: session=acme-session | Cookie: session=acme-session-expired
    Cookie: session=nobody | Cookie: session= | Cookie: session=a b | Cookie: session="acme-session"
    Cookie: session=acme-session; session=nobody | Cookie: other=1; session=acme-session`);
  const tokens = linesOf(`Bearer acme-token | Bearer acme-token-weekly | Bearer acme-token-revoked
    Bearer acme-token-expired | Bearer demo-token | Bearer x | Bearer | bearer acme-token
    Bearer  acme-token | Basic YTpi | acme-token`).map((value) => `Authorization: ${value}`);
  const ask = asking('credentials');
  return apiPaths.flatMap((path) => [
    ask(path),
    ...[...cookies, ...tokens].map((line) => ask(path, [line])),
    ...cookies.flatMap((line) => [
      ask(path, [line, bearer('demo')]),
      ask(path, [line, 'Authorization: Bearer x']),
    ]),
    ask(path, [cookie('acme'), cookie('demo')]),
    ask(path, [bearer('acme'), bearer('demo')]),
    ask(`${path}?access_token=acme-token&page=0`),
    ask(`${path}?session=acme-session`),
  ]);
};

const tenantRequests = ({ name, findings, repos }: Tenant, { isPostgres }: Plan): readonly Planned[] => {
  const ask = asking('rows');
  const usual = /^fix_\d+$/;
  // Over PostgreSQL, only some of the ids that are much alike.
  const ids = findings.filter((id, i) => !isPostgres || !usual.test(id) || i % 9 === 0);
  const details = ids.flatMap((id, i) => {
    const path = `findings/${encodeURIComponent(id)}`;
    const isShown = i % 20 === 0 || !usual.test(id);
    return [
      ask(`/api/v1/${path}`, [i % 2 === 0 ? cookie(name) : bearer(name)]),
      ...(isShown ? [ask(`/explore/${path}`, [cookie(name)])] : []),
    ];
  });
  const pages = lists.flatMap((path) =>
    words('1 2 3 4 7 26 1000').flatMap((page) =>
      ['', '&limit=1', '&limit=100'].map((limit) => ask(`${path}?page=${page}${limit}`, [cookie(name)])),
    ),
  );
  const narrowed = repos.flatMap((repo) => {
    const query = `?repoId=${encodeURIComponent(repo)}`;
    const paths = ['/api/v1/findings', '/api/v1/prs', '/explore/findings', '/explore/prs'];
    return paths.map((path, i) =>
      ask(`${path}${query}${i % 2 === 0 ? '' : '&status=closed'}`, [cookie(name)]),
    );
  });
  return [ask('/api/v1/repos', [cookie(name)]), ...details, ...pages, ...narrowed];
};

const parameterRequests = (): readonly Planned[] => {
  const numbers = words(`1 01 2 100 101 0 -1 1.5 1e2 abc +1 %201 1%20 0x1 %D9%A1 NaN 9007199254740991
    9007199254740992 99999999999999999999`);
  const texts = words(`critical High low open merged closed pending resolved none %00 %ff %C3%A6 repo_checkout
    REPO_CHECKOUT '%20OR%201=1 ${'a'.repeat(500)}`);
  const queries = [
    ...['page', 'limit'].flatMap((name) => ['', ...numbers].map((value) => `${name}=${value}`)),
    ...['repoId', 'severity', 'status'].flatMap((name) => ['', ...texts].map((value) => `${name}=${value}`)),
    ...words(`page=1&page=1 page=1&page=2 limit=1&limit=x status=open&status=open repoId=a&repoId=b page[]=1
      Page=2 LIMIT=2 pgae=2 sevirity=high repo_id=x repoid=x unknown unknown= = & &&page=2& page page&limit
      a=1&b=2&c=3 offset=3 sort=id __proto__=1 constructor=1 page=2;limit=3 page=% page=%zz %70age=2 p%61ge=2
      ?page=2 page=2? page=2+ page=0&limit=0&severity=x&status=y token=secret-value %E2%82%AC=1 na%0Ame=1`),
    `x=${'y'.repeat(3000)}`,
    Array.from({ length: 200 }, (_, i) => `p${i}=${i}`).join('&'),
  ];
  const explained = ['limit=2', 'repoId=repo_checkout&limit=4', 'page=0', 'severity=high&status=open'];
  const ask = asking('parameters');
  return lists.flatMap((path) => [
    ...queries.map((query) => ask(`${path}?${query}`, [cookie('acme')])),
    ...explained.map((query) => ask(`${path}?${query}`, [cookie('acme'), 'X-Triage-Explain: 1'])),
    ...['', 'page=2', 'x=1'].flatMap((query) =>
      apiPaths.map((each) => ask(`${each}?${query}`, [bearer('acme')])),
    ),
  ]);
};

/** Lists with parameters by chance. */
const drawnRequests = ({ tenants, seed, isPostgres }: Plan): readonly Planned[] => {
  const ask = asking('drawn');
  const random = randomFor(seed, 1, 'share');
  const oneOf = (values: readonly string[]): string => values[random.below(values.length)] ?? '';
  const severities = words('critical high medium low odd');
  const statuses = words('pending drafting escalated resolved open merged closed');
  return Array.from({ length: isPostgres ? 200 : 300 }, () => {
    const { name, repos } = tenants[random.below(tenants.length)] ?? { name: 'acme', repos: [] };
    const path = oneOf([...lists, ...lists, '/explore/findings', '/explore/prs']);
    const query = [
      random.percent(50) ? `page=${random.below(12)}` : '',
      random.percent(50) ? `limit=${random.below(120)}` : '',
      random.percent(30) ? `severity=${oneOf(severities)}` : '',
      random.percent(30) ? `status=${oneOf(statuses)}` : '',
      random.percent(30) ? `repoId=${encodeURIComponent(oneOf(repos))}` : '',
    ].filter((part) => part !== '');
    const codings = random.percent(20) ? ['Accept-Encoding: gzip, br'] : [];
    return ask(`${path}?${query.join('&')}`, [cookie(name), ...codings]);
  });
};

const methodRequests = ({ isPostgres }: Plan): readonly Planned[] => {
  const ask = asking('methods');
  const methods = words(isPostgres ? 'HEAD OPTIONS' : 'GET HEAD OPTIONS PUT PATCH TRACE PROPFIND M-SEARCH');
  return [
    ...allPaths.flatMap((path) => methods.map((method) => ask(path, [cookie('acme')], { method }))),
    ...apiPaths.flatMap((path) => ['POST', 'DELETE'].map((method) => ask(path, [], { method, body: '{}' }))),
    ask('*', [], { method: 'OPTIONS' }),
    ask('*'),
    ask('127.0.0.1:4000', [], { method: 'CONNECT' }),
  ];
};

const originRequests = ({ isPostgres }: Plan): readonly Planned[] => {
  const ask = asking('origins');
  const origins = words(`https://app.example.com https://a.preview.example.com http://localhost:3000
    https://evil.example null http://app.example.com https://app.example.com:8443 https://APP.example.com
    https://a.b.preview.example.com http://127.0.0.1:4000 http://[::1]:3000 nonsense
    http://localhost.evil.example`);
  const paths = words(
    '/api/v1/findings?limit=2 /api/v1/repos /api/v1/findings/none /login /nothing /healthz',
  );
  return (isPostgres ? origins.slice(0, 5) : ['', ...origins]).flatMap((origin) => {
    const preflight = (path: string, method: string, more: readonly string[] = []): Planned =>
      ask(path, [`Origin: ${origin}`, `Access-Control-Request-Method: ${method}`, ...more], {
        method: 'OPTIONS',
      });
    return [
      ...paths.map((path) => ask(path, [`Origin: ${origin}`, cookie('acme')])),
      ask('/api/v1/prs', [`Origin: ${origin}`, 'Sec-Fetch-Site: cross-site']),
      ...paths.map((path) => preflight(path, 'GET')),
      preflight('/api/v1/prs', 'GET', ['Access-Control-Request-Headers: authorization, prefer']),
      preflight('/login', 'POST', ['Access-Control-Request-Headers: content-type, x-odd']),
      preflight('/api/v1/prs', 'DELETE', ['Access-Control-Request-Private-Network: true']),
    ];
  });
};

const conditionalRequests = (): readonly Planned[] => {
  const ask = asking('conditional');
  const tags = linesOf(`{{etag}} | W/{{etag}} | "a", {{etag}} | {{etag}}, "a" | "a",W/{{etag}}, | * | "a"
    nonsense | "a, {{etag}} | {{etag}}x | "é"`);
  const paths = [
    ...apiPaths,
    ...words(
      `/openapi.json /docs /assets/explore.js /assets/explore.css /explore /explore/changes /
      /api/v1/prs?page=9`,
    ),
  ];
  return paths.flatMap((path) => {
    const again = (...lines: readonly string[]): Planned =>
      ask(path, [cookie('acme'), 'If-None-Match: {{etag}}', ...lines]);
    return [
      ask(path, [cookie('acme')]),
      ...['', ...tags].map((tag) => ask(path, [cookie('acme'), `If-None-Match: ${tag}`])),
      ask(path, [cookie('acme'), 'If-None-Match: {{etag}}'], { method: 'HEAD' }),
      ask(path, ['If-None-Match: {{etag}}']),
      again('Cache-Control: no-cache'),
      again('Accept-Encoding: br'),
      again('Origin: http://localhost:3000'),
      ask(path, [
        cookie('acme'),
        'If-Match: "a"',
        'If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT',
        'Range: bytes=0-9',
      ]),
    ];
  });
};

const codingRequests = ({ isPostgres }: Plan): readonly Planned[] => {
  const ask = asking('codings');
  const codings = linesOf(`br | gzip | deflate | identity | * | gzip;q=0 | br;q=0, gzip
    gzip;q=0.5, br;q=0.4 | identity;q=0 | *;q=0 | gzip, deflate, br, zstd | GZIP | x-gzip
    gzip;q=nonsense | br;q=1.0, *;q=0`);
  const paths = words(`/api/v1/findings?limit=100 /api/v1/findings?limit=1 /api/v1/repos /api/v1/none
    /openapi.json /docs /explore /assets/explore.js /login`);
  return (isPostgres ? paths.slice(0, 3) : paths).flatMap((path) => [
    ...['', ...codings].map((coding) => ask(path, [cookie('acme'), `Accept-Encoding: ${coding}`])),
    ask(path, [cookie('acme'), 'Accept-Encoding: gzip'], { method: 'HEAD' }),
    ask(path, [cookie('acme'), 'Accept-Encoding: gzip', 'Accept-Encoding: br']),
  ]);
};

const targetRequests = (): readonly Planned[] => {
  const ask = asking('targets');
  const targets =
    words(`/api/v1/repos/ /API/v1/repos /api/v1/Repos //api/v1/repos /api//v1/repos /api/v1/./repos
    /api/v1/../v1/repos /api/v1/%72epos /api%2Fv1/repos /api/v1/repos;x /api/v1/repos#x /api/v1/repos%3Fx
    /api/v1/repos%00 /api/v1/repos%20 \\api\\v1\\repos /api/v1/findings// /api/v1/findings/
    /api/v1/findings/a/b /api/v1/findings/%2F /api/v1/findings/% /api/v1/findings/%zz
    /api/v1/findings/%C3 /api/v1/findings/%ff
    /api/v1/findings/.. /api/v1/findings/%2e%2e /api/v1/findings/fix%5F0001 /api/v1/findings/FIX_0001
    /api/v1/findings/fix_0001? /api/v1/findings/+ /api/v1/findings/%F0%9F%92%A9 /api/v1/findings/__proto__
    http://127.0.0.1:4000/api/v1/repos http://127.0.0.1:4000 https://evil.example/api/v1/repos
    HTTP://localhost/api/v1/repos ftp://127.0.0.1/ http:///x api/v1/repos ? /?x /% /%2e%2e/ /é /\u0001
    /api/v1/repos?é /docs/ /login/ /Login /explore/ /explore/none /explore/findings/ /assets/../package.json
    /assets/none.css /.well-known/x /__admin/ /__admin/none /__ADMIN/faults /index.html /robots.txt
    /metrics/`);
  const long = [2000, 7000, 8000, 15_000, 17_000, 70_000].map((length) => 'a'.repeat(length));
  return [...targets, ...long.flatMap((text) => [`/${text}`, `/api/v1/findings?repoId=${text}`])].flatMap(
    (target) => [ask(target, [cookie('acme')]), ask(target, ['Accept: text/html'])],
  );
};

const hostRequests = (): readonly Planned[] => {
  const ask = asking('hosts');
  const hosts = words(`localhost localhost:1 127.0.0.1 127.1.2.3 [::1]:4000 LOCALHOST evil.example a.localhost
    localhost.evil.example a@b 127.0.0.1:99999 localhost: x/y [::1 0.0.0.0 192.168.0.1`);
  const forwarded = linesOf(`X-Forwarded-For: 1.2.3.4 | X-Forwarded-Host: evil.example
    X-Forwarded-Proto: https | Forwarded: for=1 | Via: x`);
  const ids = ['abc', 'a'.repeat(128), 'a'.repeat(129), 'a b', '', 'é'].map((id) => `X-Request-Id: ${id}`);
  const named = ['', 'a b', ...hosts].map((name) => `Host: ${name}`);
  return [
    ...[...named, ...forwarded, ...ids].flatMap((line) =>
      ['/api/v1/repos', '/', '/healthz', '/__admin/faults'].map((path) => ask(path, [line, cookie('acme')])),
    ),
    ask('/api/v1/repos', ['Host: localhost', 'Host: evil.example', cookie('acme')]),
    ask('http://evil.example/api/v1/repos', [cookie('acme')]),
  ];
};

/** HTTP as such: several requests at once, what is malformed, and what ends early. */
const wireRequests = (): readonly Planned[] => {
  const get = (path: string, ...lines: readonly string[]): string =>
    [`GET ${path} HTTP/1.1`, host, cookie('acme'), ...lines, '', ''].join('\r\n');
  const post = (path: string, lines: readonly string[], body: string): string =>
    [
      `POST ${path} HTTP/1.1`,
      host,
      'Content-Type: application/x-www-form-urlencoded',
      ...lines,
      '',
      body,
    ].join('\r\n');
  const chunked = 'Transfer-Encoding: chunked';
  const many = (length: number): readonly string[] => Array.from({ length }, (_, i) => `X-${i}: ${i}`);
  const repos = get('/api/v1/repos');
  const pipelined = [
    apiPaths.map((path) => get(path)).join(''),
    Array.from({ length: 30 }, (_, i) => get(`/api/v1/findings?page=${i + 1}&limit=2`)).join(''),
    `${get('/docs', 'Accept-Encoding: br')}${repos.replace('GET', 'HEAD')}${get('/login')}${get('/none')}`,
    `${repos}${get('/healthz', 'Connection: close')}${get('/api/v1/prs')}`,
    `${post('/login', ['Content-Length: 9'], 'email=a&b')}${repos}`,
    `${post('/nothing', ['Content-Length: 5'], 'abcde')}${repos}`,
    `${post('/login', [chunked], '3\r\na=b\r\n0\r\n\r\n')}${get('/api/v1/prs?limit=1')}`,
    `${repos}nonsense\r\n\r\n`,
    `${get('/api/v1/repos', 'Content-Length: 3')}abc`,
  ];
  const starts =
    words(`nonsense GET~/ GET~/~HTTP/0.9 GET~/~HTTP/2.0 get~/~HTTP/1.1 GET~~/~HTTP/1.1 GET~/a~b~HTTP/1.1
    GET~/~HTTP/1.1 GET~/~HTTP/1.x BREW~/~HTTP/1.1 GET~/healthz~HTTP/1.0`).map((start) =>
      start.replaceAll('~', ' '),
    );
  const heads = [
    ...linesOf(`Bad Header: x | No-Colon | X: | Content-Length: x | Content-Length: -1
      Transfer-Encoding: gzip | Expect: 200-ok | Expect: 100-continue | Connection: close | TE: trailers`),
    ...[' : x', ' folded: x', 'X: a\u0000b', 'X: \u00ff', 'Content-Length: 1\r\nContent-Length: 2'],
    ...[
      `${chunked}\r\nContent-Length: 3`,
      'Upgrade: websocket\r\nConnection: Upgrade',
      `X: ${'a'.repeat(20_000)}`,
    ],
  ];
  const odd = [
    ...starts.flatMap((start) => [
      `${start}\r\n\r\n`,
      `${start}\r\n${host}\r\nConnection: keep-alive\r\n\r\n`,
    ]),
    ...heads.map((line) => get('/api/v1/repos', line)),
    get('/api/v1/repos', ...many(150)),
    get('/api/v1/repos', ...many(2500)),
    post('/login', [chunked], 'x\r\nabc\r\n0\r\n\r\n'),
    post('/login', [chunked, 'Expect: 100-continue'], '3\r\na=b\r\n0\r\nX-Trailer: 1\r\n\r\n'),
    `GET / HTTP/1.1\n${host}\n\n`,
    `\r\n\r\n${repos}`,
  ];
  const cut = [
    ...['', 'GET', '\u0016\u0003\u0001\u0000\u0000', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ...['GET / HTTP/1.1\r\nHost: local', repos],
    post('/login', ['Content-Length: 99'], 'email='),
    post('/login', [chunked], '5\r\nab'),
  ];
  return [
    ...pipelined.map((bytes) => rawBytes('pipelined', bytes)),
    ...odd.map((bytes) => rawBytes('malformed', bytes)),
    ...cut.map((bytes) => rawBytes('cut off', bytes, true)),
  ];
};

const preferRequests = (): readonly Planned[] => {
  const ask = asking('prefer');
  const wishes =
    linesOf(`code=400 | code=401 | code=404 | code=429 | code=500 | code=502 | code=503 | code=200
    gateway | timeout | forbidden | maintenance | gatway | code=418 | code=x | delay=1 | delay=301 | delay=x | delay=1, code=500 | hang | drop | truncate
    malformed | empty | empty, code=500 | drop, hang | empty; x=1 | code="503" | CODE=503
    return=minimal, code=503 | code=500, code=503 | ,`);
  return apiPaths.flatMap((path) => [
    ...['', ...wishes].map((wish) => ask(path, [cookie('acme'), `Prefer: ${wish}`])),
    ask(path, ['Prefer: empty']),
    ask(path, ['Prefer: code=503', 'Origin: http://localhost:3000']),
    ask(path, [cookie('acme'), 'Prefer: delay=1', 'Prefer: code=500']),
    ask(path, [cookie('acme'), 'Prefer: drop'], { method: 'HEAD' }),
    ask(path, [cookie('acme'), 'Prefer: malformed', 'Accept-Encoding: gzip']),
  ]);
};
