import { explorerPath } from '../layout.js';

/** The paths of the explorer. */
export const explorerPaths = {
  overview: explorerPath,
  repos: `${explorerPath}/repos`,
  findings: `${explorerPath}/findings`,
  prs: `${explorerPath}/prs`,
  /** Where the script asks whether anything has changed. */
  changes: `${explorerPath}/changes`,
  stylesheet: '/assets/explore.css',
  script: '/assets/explore.js',
} as const;

/** The page of one finding. */
export const findingPath = (id: string): string => `${explorerPaths.findings}/${encodeURIComponent(id)}`;

/** Values of parameters; undefined: not given. */
export type QueryValues = Readonly<Record<string, string | number | undefined>>;

/** A query string with `?`, or nothing if no parameter is given. */
export const queryString = (values: QueryValues): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
};
