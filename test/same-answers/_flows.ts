import { asking, cookie, linesOf, type Plan, type Planned, words } from './_requests.js';

/** Pages, and what changes something: accounts, and the mock controls. The order matters. */
export const flows = (plan: Plan): readonly Planned[] => [
  ...pageRequests(plan),
  ...accountFlow('forms', plan),
  ...accountFlow('scripts', plan),
  ...refusedPosts(),
  ...(plan.isPostgres ? [] : controlFlow()),
  // They are last: what wrong passwords lock stays locked.
  ...attemptLimits(),
  ...metricsRequests(),
];

/** Header lines by a word, for the scripts below. */
const headers: Readonly<Record<string, string>> = {
  json: 'Content-Type: application/json',
  form: 'Content-Type: application/x-www-form-urlencoded',
  patch: 'Content-Type: application/json-patch+json',
  merge: 'Content-Type: application/merge-patch+json',
  asHtml: 'Accept: text/html,application/xhtml+xml',
  asJson: 'Accept: application/json',
  mine: 'Cookie: session={{mine}}',
  second: 'Cookie: session={{second}}',
  demo: 'Cookie: session={{demo}}',
  made: 'Cookie: session={{session}}',
  acme: cookie('acme'),
  token: 'Authorization: Bearer {{token}}',
  minted: 'Cookie: session={{mine}}; minted={{minted}}',
  forged: 'Cookie: session={{mine}}; minted={{minted}}x',
  latin: 'Content-Type: application/json; charset=latin-9',
  multipart: 'Content-Type: multipart/form-data; boundary=x',
};

/**
 * Requests as lines: method, target, header lines in brackets, a body, and behind `=>` under which names to
 * keep which values of the answer. A body without header lines is JSON.
 */
const script = (category: string, text: string): readonly Planned[] => {
  const ask = asking(category);
  return linesOf(text).map((line) => {
    const [, method = '', target = '', inBrackets, body, kept] =
      /^(\S+) (\S+)(?: \[(.*?)\](?= |$))?(?: (?!=>)(.*?))?(?: => (.*))?$/.exec(line) ?? [];
    const named = inBrackets?.split('; ') ?? (body === undefined ? [] : ['json']);
    const keep = Object.fromEntries((kept?.split(' ') ?? []).map((each) => each.split('=')));
    const more = { method, keep, ...(body === undefined ? {} : { body }) };
    return ask(
      target,
      named.map((name) => headers[name] ?? name),
      more,
    );
  });
};

/** What servers with other settings are asked, see `main.ts`. */
export const settingRequests = (): readonly Planned[] => {
  const ask = asking('other settings');
  const paths = words(`/api/v1/repos /api/v1/findings?limit=2 /api/v1/prs?colour=red /api/v1/findings?pgae=2
    /api/v1/findings/fix_0001 / /login /explore /explore/findings /docs /openapi.json /__admin/faults /healthz
    /readyz /nothing`);
  const lines = linesOf(`Accept-Encoding: br | Origin: http://localhost:3000 | X-Forwarded-Proto: https
    X-Forwarded-Host: api.example.com | X-Forwarded-For: 1.2.3.4, 5.6.7.8 | Host: api.example.com
    Host: evil.example | Prefer: code=503 | X-Triage-Explain: 1`);
  const logIn =
    'POST /login [json; X-Forwarded-Proto: https] {"email":"demo@triage.test","password":"demo-password"}';
  return [
    ...paths.flatMap((path) => [ask(path), ...lines.map((line) => ask(path, [cookie('acme'), line]))]),
    ...script('other settings', `${logIn} => mine=session\nGET /api/v1/repos [mine]`),
  ];
};

const pageRequests = ({ tenants, isPostgres }: Plan): readonly Planned[] => {
  const ask = asking('pages');
  const pages =
    words(`/ /login /login?next=%2Fexplore /login?next=//evil.example /login?account=deleted /signup
    /session /settings/api-tokens /settings/api-tokens?revoke=tok_1 /settings/account /docs /explore
    /explore/repos /settings/account?password=changed /explore/findings /explore/prs
    /explore/prs?page=2&limit=3 /explore/prs?status=closed /explore/findings?severity=high&status=pending
    /explore/findings?page=99
    /explore/findings?page=0&colour=red /explore/findings/fix_0001 /explore/findings/none /explore/changes
    /nothing`);
  const assets =
    words(`/openapi.json /docs /favicon.ico /healthz /readyz /__admin/openapi.json /login/style.css
    /assets/explore.css /assets/explore.js /assets/copy.js /docs/start.js /docs/page.css /docs/swagger-ui.css
    /docs/swagger-ui-bundle.js`);
  const visitors = [[], ['Cookie: session=nobody'], ...tenants.map(({ name }) => [cookie(name)])];
  const html = String(headers.asHtml);
  const json = String(headers.asJson);
  const others = [
    ['Authorization: Bearer acme-token'],
    [cookie('acme'), 'Accept: application/json;q=0.5, text/html;q=0.4'],
  ];
  return [
    ...visitors.flatMap((visitor, i) =>
      pages.flatMap((page) => [
        ask(page, [...visitor, html]),
        ...(i > 2 ? [] : [ask(page, [...visitor, json])]),
      ]),
    ),
    ...(isPostgres ? [] : assets).flatMap((path) => [
      ask(path),
      ask(path, ['Accept-Encoding: gzip']),
      ask(path, ['If-None-Match: {{etag}}']),
    ]),
    ...(isPostgres ? [] : others).flatMap((lines) => pages.map((page) => ask(page, lines))),
  ];
};

/** An account from sign-up to deletion, by forms or by JSON. */
const accountFlow = (by: 'forms' | 'scripts', { isPostgres }: Plan): readonly Planned[] => {
  const email = `new-${by}%40example.com`;
  const [password, next] = ['a+quiet+harbour+71', 'a+quiet+harbour+73'];
  const seen = words('/session / /api/v1/repos /api/v1/prs /explore /explore/findings /settings/account')
    .map((path) => `GET ${path} [mine]`)
    .join('\n');
  // A database gets to know in the background that a token was used.
  const tokensAfterUse = isPostgres ? '' : 'GET /settings/api-tokens [mine]';
  const text = `POST /signup [as] email=x
    POST /signup [as] email=${email}&name=New&password=short
    POST /signup [as] email=${email}&name=New&password=password123
    POST /signup [as] email=${email}&name=&password=${password}
    POST /signup [as] email=dana%40acme.test&name=New&password=${password}
    POST /signup [as] email=other-${email}&name=New&password=${password}&persona=none
    POST /signup [as] email=${email}&name=%C3%9E%C3%B3rr+%3Cb%3E&password=${password} => mine=session
    POST /signup [as] email=${email}&name=New&password=${password}
    ${seen}
    GET /api/v1/repos [mine]
    GET /api/v1/repos [mine; If-None-Match: {{etag}}]
    POST /login [as] email=${email}&password=wrong
    POST /login [as] email=nobody%40example.com&password=wrong
    POST /login [as] email=+${email.toUpperCase()}+&password=${password}
    POST /login [as] email=${email}&password=${password}&next=%2Fexplore%3Fx%3D1 => mine=session
    POST /login [as] email=${email}&password=${password}&next=%2F%2Fevil.example => second=session
    POST /login/demo [as] account=demo%40triage.test => demo=session
    POST /login/demo [as] account=nobody
    GET /session [demo]
    GET /settings/api-tokens [demo]
    POST /settings/api-tokens [as; demo] name=x
    POST /settings/account/password [as; demo] currentPassword=demo-password&newPassword=a+quiet+harbour+72
    POST /settings/account/delete [as; demo] password=demo-password&confirmed=yes
    POST /settings/api-tokens/tok_1/revoke [as; acme] x=1
    POST /settings/api-tokens [as; mine] name=
    POST /settings/api-tokens [as; mine] name=x&expiresInDays=0
    POST /settings/api-tokens [as; mine] name=x&expiresAt=2020-01-01T00%3A00%3A00.000Z
    POST /settings/api-tokens [as; mine] name=the+%22best%22&expiresInDays=30 => minted=minted token=token
    GET /settings/api-tokens [minted]
    GET /settings/api-tokens [forged]
    GET /settings/api-tokens [mine; asJson] => tokenId=id
    GET /settings/api-tokens?revoke={{tokenId}} [mine]
    GET /api/v1/prs [token]
    POST /settings/api-tokens/{{tokenId}}/revoke [as; mine] x=1
    POST /settings/api-tokens/{{tokenId}}/revoke [as; mine] x=1
    POST /settings/api-tokens/none/revoke [as; mine] x=1
    GET /api/v1/prs [token]
    ${tokensAfterUse}
    POST /settings/account/password [as; mine] currentPassword=wrong&newPassword=${next}
    POST /settings/account/password [as; mine] currentPassword=${password}&newPassword=short
    POST /settings/account/password [as; mine] currentPassword=${password}&newPassword=${next} => mine=session
    GET /settings/account?password=changed [mine]
    GET /session [second]
    POST /logout [as; second] x=1
    POST /logout [as] x=1
    POST /settings/account/delete [as; mine] password=wrong&confirmed=yes
    POST /settings/account/delete [as; mine] x=1
    POST /logout [as; mine] x=1
    GET /session [mine]
    POST /login [as] email=${email}&password=${next} => mine=session
    POST /settings/account/delete [as; mine] password=${next}&confirmed=yes
    GET /session [mine]
    GET /login?account=deleted [mine]
    POST /logout [as; acme] x=1`;
  const asJson = (line: string): string =>
    line.replace(/(?<=\] )[^ =]+=\S*/, (fields) =>
      JSON.stringify(Object.fromEntries(new URLSearchParams(fields))),
    );
  return by === 'forms'
    ? script('accounts', text.replaceAll('[as', '[form; asHtml'))
    : script('accounts', text.replaceAll('[as', '[json; asJson').split('\n').map(asJson).join('\n'));
};

const refusedPosts = (): readonly Planned[] => {
  const paths = words(`/login /login/demo /signup /logout /settings/api-tokens /settings/account/password
    /settings/account/delete`);
  const long = 'b'.repeat(120_000);
  return paths.flatMap((path) =>
    script(
      'refused posts',
      `POST [Sec-Fetch-Site: cross-site; form] a=b
      POST [Sec-Fetch-Site: cross-site; json; acme] {}
      POST [Sec-Fetch-Site: same-site; form] a=b
      POST [Sec-Fetch-Site: same-origin; form] a=b
      POST [Origin: https://evil.example; form] a=b
      POST [Origin: https://evil.example; json; acme] {}
      POST [Origin: null; form] a=b
      POST [Origin: http://127.0.0.1:4000; form] a=b
      POST [Origin: https://127.0.0.1:4000; form] a=b
      POST [Origin: https://app.example.com; form] a=b
      POST [Origin: https://app.example.com; json; acme] {}
      POST [json] {
      POST [json] []
      POST [json] null
      POST [json; Content-Length: 0]
      POST [form] %zz=%
      POST [form] a=${long}
      POST [json] {"email":"${long}"}
      POST [Content-Type: text/plain] x
      POST [multipart] --x--
      POST [latin] {}
      POST [json; Content-Encoding: gzip] {}
      POST [X-None: 1] email=x
      POST [acme]`.replaceAll('POST [', `POST ${path} [`),
    ),
  );
};

/** The mock controls. Everything is put back at the end. */
const controlFlow = (): readonly Planned[] => {
  const seen = words(
    '/api/v1/repos /api/v1/findings?limit=3 /api/v1/prs?limit=3 /api/v1/findings/fix_0001 /explore /login',
  )
    .map((path) => `GET ${path} [acme]`)
    .join('\n');
  const expanded = (text: string): readonly Planned[] =>
    script('controls', text.replaceAll('SEEN', seen).replaceAll('~', '/__admin'));
  const broken = words('/faults /clock /tenants /reset').map(
    (path) => `POST ~${path} {
      POST ~${path} []
      POST ~${path} {"odd":1}
      POST ~${path} [json; Content-Length: 0]
      POST ~${path} [Content-Type: text/plain] {}
      POST ~${path} [json; Origin: https://evil.example] {}
      PUT ~${path} {}
      DELETE ~${path}/none`,
  );
  const rules = linesOf(`{"code":503,"times":1} | {"operation":"listPrs","code":401,"after":1,"times":2}
    {"operation":"GET /login","code":500,"times":1} | {"tenant":"usr_acme","kind":"malformed","times":1}
    {"query":{"limit":"3"},"kind":"empty","times":1}
    {"operation":"listConnectedRepos","kind":"truncate","times":1}
    {"probability":0.5,"code":500,"times":3} | {"kind":"drop","times":1} | {"delay":5,"times":1}
    {"code":200} | {"operation":"none","code":500} | {}`);
  const clocks = linesOf(`{"advance":"1h30m"} | {"now":"2031-03-06T00:00:00Z"} | {"advance":"-P1D"}
    {"advance":"400d"} | {"advance":"1y"} | {"now":"x","advance":"1h"} | {"running":"x"}`);
  const patches = linesOf(`[patch] [{"op":"replace","path":"/fixDrafts/0/status","value":"resolved"}]
    [patch] [{"op":"replace","path":"/scans/0/repoId","value":"web"}]
    [patch] [{"op":"remove","path":"/none"}] | [merge] {"fixDrafts":{"fix_0002":{"severity":"low"}}}
    [merge] {"fixDrafts":{"fix_0001":null}} | [merge] [] | [json] {}`);
  const tenants = linesOf(`{} | {"from":"boundary","ttl":"30m"} | {"from":"acme","ids":"fresh"}
    {"fixture":{"findings":[{"repo":"acme/web","package":"lodash"}]}}`);
  return [
    ...expanded(
      words('/faults /clock /tenants /openapi.json /none /tenants/none')
        .map((path) => `GET ~${path}`)
        .join('\n'),
    ),
    ...expanded(broken.join('\n')),
    ...rules.flatMap((rule) => expanded(`POST ~/faults ${rule}\nSEEN\nGET ~/faults`)),
    ...expanded(`POST ~/faults {"code":500} => rule=id
      SEEN
      DELETE ~/faults/{{rule}}
      POST ~/faults {"code":500}
      DELETE ~/faults
      SEEN`),
    ...clocks.flatMap((change) => expanded(`PUT ~/clock ${change}\nSEEN\nGET /session [acme]`)),
    ...expanded(`DELETE ~/clock
      PUT ~/clock {"now":"2031-03-05T12:00:00Z"}
      GET ~/clock
      SEEN`),
    ...patches.flatMap((patch) => expanded(`POST ~/tenants/acme/patch ${patch}\nSEEN`)),
    ...expanded(`POST ~/tenants/none/patch [patch] []
      POST ~/reset
      SEEN`),
    ...tenants.flatMap((tenant) =>
      expanded(`POST ~/tenants ${tenant} => made=id session=session token=token
        GET ~/tenants
        GET ~/tenants/{{made}}
        GET /api/v1/repos [made]
        GET /api/v1/findings [made]
        GET /api/v1/prs [made]
        GET /session [made]
        GET /explore [made]
        GET /api/v1/prs?limit=1 [token]
        POST ~/tenants/{{made}}/patch [merge] {"pullRequests":[]}
        GET /api/v1/prs [made]
        DELETE ~/tenants/{{made}}
        GET /api/v1/prs [made]`),
    ),
    ...expanded(`POST ~/tenants {"from":"none"}
      POST ~/tenants {"ttl":"8d"}
      POST ~/tenants {"from":"acme","fixture":{}}
      POST ~/tenants {"fixture":{"findings":[{"severity":"x"}]}}`),
    ...expanded(`GET ~/requests?operation=listPrs
      GET ~/requests?status=401
      GET ~/requests?tenant=usr_acme&since=900
      GET ~/requests?since=x
      GET ~/requests
      DELETE ~/requests
      SEEN
      GET ~/requests
      DELETE ~/faults
      PUT ~/clock {"now":"2031-03-05T12:00:00Z"}`),
  ];
};

const attemptLimits = (): readonly Planned[] =>
  ['asHtml', 'asJson'].flatMap((accept) =>
    script(
      'attempts',
      words('1 2 3 4 5 6 7')
        .map((n) => `POST /login [form; ${accept}] email=${accept}%40x.test&password=${n}`)
        .join('\n'),
    ),
  );

const metricsRequests = (): readonly Planned[] => {
  const ask = asking('metrics');
  const targets = ['/metrics', '/none', '/metrics?x'];
  return words('GET HEAD POST OPTIONS').flatMap((method) =>
    targets.map((target) => ask(target, [], { method, to: 'metrics' })),
  );
};
