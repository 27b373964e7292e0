import { docsPaths } from './docs-paths.js';

/** Where the API reference has an operation: following the link opens it. */
export const operationLink = ({ id, tag }: Readonly<{ id: string; tag: string }>): string =>
  `${docsPaths.page}#/${encodeURIComponent(tag)}/${id}`;
