import { type Html, html } from '../html.js';
import { page } from '../layout.js';
import { explorerPaths } from './explorer-paths.js';
import { requestPanel, type ShownRequest } from './request-panel.js';
import type { ViewContext } from './shown.js';

/** The views of the explorer, in the order of its navigation. */
const views = [
  { view: 'overview', name: 'Overview' },
  { view: 'repos', name: 'Repositories' },
  { view: 'findings', name: 'Findings' },
  { view: 'prs', name: 'Pull requests' },
] as const;
export type View = (typeof views)[number]['view'];

/** A page of the explorer: its content and, beside it, the request behind it. */
export const explorerPage = (
  context: ViewContext,
  { view, title, request = null }: Readonly<{ view: View; title: string; request?: ShownRequest | null }>,
  content: Html,
): Html =>
  page(
    title,
    context.page,
    request === null
      ? content
      : html`<div class="beside"><div class="content">
${content}
</div>
${requestPanel(request, context)}</div>`,
    {
      head: html`<link rel="stylesheet" href="${explorerPaths.stylesheet}">
<script src="${explorerPaths.script}" defer data-version="${context.version ?? ''}"></script>`,
      section: 'explore',
      isWide: true,
      above: viewLinks(view),
    },
  );

const viewLinks = (current: View): Html =>
  html`<nav class="views" aria-label="Explorer">${views.map(
    (each) =>
      html`<a href="${explorerPaths[each.view]}"${each.view === current ? html` aria-current="page"` : null}>${each.name}</a>
`,
  )}</nav>`;
