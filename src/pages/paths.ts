/** The stylesheet of all pages: below `/login`, so that a proxy that forwards the login forwards it, too. */
export const stylesheetPath = '/login/style.css';

/** The path of the script that copies a new token. */
export const copyScriptPath = '/assets/copy.js';

/** The path to which a page of a demo in the browser posts to empty it. */
export const resetPath = '/__demo/reset';

/** The path to which the forms of demo accounts post. */
export const demoLogInPath = '/login/demo';

/** What programs log in and out with, as rules name it. */
export const logInNames: readonly string[] = [
  'POST /login',
  `POST ${demoLogInPath}`,
  'POST /logout',
  'GET /session',
];

/** The paths of the API reference and its assets. */
export const docsPaths = {
  document: '/openapi.json',
  /** The document of the mock controls, which a server may have. */
  controlsDocument: '/__admin/openapi.json',
  page: '/docs',
  script: '/docs/start.js',
  stylesheet: '/docs/page.css',
  swaggerUiScript: '/docs/swagger-ui-bundle.js',
  swaggerUiStylesheet: '/docs/swagger-ui.css',
} as const;

/** Where the API reference has an operation: following the link opens it. */
export const operationLink = ({ id, tag }: Readonly<{ id: string; tag: string }>): string =>
  `${docsPaths.page}#/${encodeURIComponent(tag)}/${id}`;

/** The path of the explorer. */
export const explorerPath = '/explore';

/** The paths of the explorer and its assets. */
export const explorerPaths = {
  overview: explorerPath,
  repos: `${explorerPath}/repos`,
  findings: `${explorerPath}/findings`,
  prs: `${explorerPath}/prs`,
  /** The forms of the mock controls. */
  controls: `${explorerPath}/controls`,
  /** Every state of the API, to make a tenant in it. */
  states: `${explorerPath}/states`,
  statesJson: `${explorerPath}/states.json`,
  /** Where the script asks whether anything has changed. */
  changes: `${explorerPath}/changes`,
  stylesheet: '/assets/explore.css',
  script: '/assets/explore.js',
} as const;

/** Whether a page has asked for changes and got none: up to one a second of each page, so not logged. */
export const isQuiet = ({ path }: Readonly<{ path: string }>, status: number): boolean =>
  path === explorerPaths.changes && status === 304;

/** The page of one finding. */
export const findingPath = (id: string): string => `${explorerPaths.findings}/${encodeURIComponent(id)}`;

/** Values of parameters; undefined: not given. */
export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** A query string with `?`, or nothing if no parameter is given. */
export const queryString = (values: QueryValues): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
};

/** A page of the login that leads to `next` afterwards; null: to the start page. */
export const withNext = <P extends string>(path: P, next: string | null = null): `${P}${string}` =>
  `${path}${queryString({ next: next ?? undefined })}`;

/** The findings and the pull requests of a repository. */
export const findingsOf = (repoId: string): string => `${explorerPaths.findings}${queryString({ repoId })}`;
export const prsOf = (repoId: string): string => `${explorerPaths.prs}${queryString({ repoId })}`;
