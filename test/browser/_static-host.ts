import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import type { TestLife } from '../_server.js';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
};

/** The `404.html` of the folder of an address, or of the nearest one above. */
const nearest404 = async (folder: string, pathname: string): Promise<Uint8Array | string> => {
  for (let path = pathname; path !== '/'; ) {
    path = dirname(path);
    const found = await readFile(join(folder, path, '404.html')).catch(() => null);
    if (found !== null) return found;
  }
  return 'nothing';
};

/** A static host as many are: folders have an `index.html`. */
export type StaticHost = Readonly<{
  origin: string;
  /** The paths that were asked for. */
  requested: readonly string[];
  /** Answers nothing from now on, as without a network. */
  stop: () => Promise<void>;
}>;

/**
 * Serves a folder on a free port until a test ends. What it does not have is answered with the nearest
 * `404.html`, or always with the one that is nearest to `site`. `redirects`: whether the address of a folder
 * gets its last slash; else, the folder is served without one.
 */
export const staticHost = async (
  life: TestLife,
  folder: string,
  { site, redirects = true }: Readonly<{ site?: string; redirects?: boolean }> = {},
): Promise<StaticHost> => {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    requested.push(pathname);
    const send = async (): Promise<void> => {
      const file = join(folder, pathname);
      const found = await stat(file).catch(() => null);
      if (redirects && found?.isDirectory() && !pathname.endsWith('/')) {
        response.writeHead(301, { Location: `${pathname}/` }).end();
        return;
      }
      const served = found?.isDirectory() ? join(file, 'index.html') : file;
      const bytes = await readFile(served).catch(() => null);
      const head = { 'Content-Type': types[extname(served)] ?? 'text/plain' };
      if (bytes === null) {
        response
          .writeHead(404, { 'Content-Type': 'text/html' })
          .end(await nearest404(folder, site ?? pathname));
      } else response.writeHead(200, head).end(bytes);
    };
    send().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  life.teardown(async () => {
    if (server.listening) await stop();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { origin: `http://127.0.0.1:${port}`, requested, stop };
};
