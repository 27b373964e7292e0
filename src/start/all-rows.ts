import { openApiRow } from '../openapi/document-row.js';
import { controlsPages } from '../pages/controls-routes.js';
import { allPages, type PageSettings } from '../pages/pages.js';
import { mockControls } from '../simulation/controls/controls.js';
import { controlsDocumentRows } from '../simulation/controls/document-rows.js';
import type { ComposeSettings, Site } from './compose.js';
import { type HealthDependencies, healthRows } from './health.js';

export type SiteSettings = ComposeSettings & HealthDependencies & PageSettings;

/** Everything that is served around the operations, and how it is shown. */
export const allRows = (settings: SiteSettings): Site => {
  const controls = mockControls(settings);
  const pages = allPages({ ...settings, ...controlsPages(settings) });
  return {
    ...controls,
    ...pages,
    rows: [
      ...healthRows(settings),
      openApiRow(settings),
      ...controls.rows,
      ...controlsDocumentRows(settings),
      ...pages.rows,
    ],
  };
};
