import { type Html, html } from '../html.js';
import { explorerPaths, queryString } from './explorer-paths.js';
import type { Shown } from './shown.js';
import { code, text } from './values.js';

/** The name of a repository, which leads to its findings, and its id. */
export const repoLink = (repoId: string, { repoName }: Shown): Html => {
  const name = repoName(repoId);
  const link = `${explorerPaths.findings}${queryString({ repoId })}`;
  return name === null
    ? html`<a href="${link}">${code(repoId)}</a>`
    : html`<a href="${link}">${text(name)}</a> ${code(repoId)}`;
};
