/** What reads fixtures that are not complete. It is loaded only when there is one. */
export { readDataset } from './complete-dataset.js';
export { readOverlay } from './overlay.js';
