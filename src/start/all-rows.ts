import { allPages, type PageSettings } from '../pages/pages.js';
import { mockControls } from '../simulation/controls/controls.js';
import type { ComposeSettings, Site } from './compose.js';
import { type HealthDependencies, healthRows } from './health.js';

export type SiteSettings = ComposeSettings & HealthDependencies & PageSettings;

/** Everything that is served around the operations: health, the mock controls, and the pages. */
export const allRows = (settings: SiteSettings): Site => {
  const controls = mockControls(settings);
  const pages = allPages(settings);
  return { ...controls, ...pages, rows: [...healthRows(settings), ...controls.rows, ...pages.rows] };
};
