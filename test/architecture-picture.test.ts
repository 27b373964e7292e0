import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

/**
 * Holds the picture in docs/architecture.md against the imports. An arrow that follows from two others is
 * left out of the picture, so that it can be read: what is drawn is the transitive reduction of what is
 * imported.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const src = join(root, 'src');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** The rooms of the table on the page, the innermost first. */
const rooms = Array.from(page.matchAll(/^\| `src\/([a-z/-]+)\/` \|/gm), ([, name = '']) => name).sort(
  (l, r) => r.length - l.length,
);
const roomOf = (path: string): string =>
  rooms.find((room) => relative(src, path).startsWith(`${room}/`)) ?? '';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const importGraph = async (): Promise<Graph> => {
  const graph = new Map(rooms.map((room) => [room, new Set<string>()]));
  for (const entry of await readdir(src, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, 'utf8');
    for (const [, target = ''] of text.matchAll(/(?:from |import\()'(\.[^']+|#platform)'/g)) {
      const to = target === '#platform' ? 'common' : roomOf(resolve(file, '..', target));
      const from = roomOf(file);
      // What the build makes is in no room.
      if (from !== to && !target.endsWith('.text.js')) graph.get(from)?.add(to);
    }
  }
  return graph;
};

const reaches = (graph: Graph, from: string, to: string): boolean =>
  Array.from(graph.get(from) ?? []).some((next) => next === to || reaches(graph, next, to));

const transitiveReduction = (graph: Graph): readonly string[] =>
  Array.from(graph).flatMap(([from, targets]) =>
    Array.from(targets)
      .filter((to) => !Array.from(targets).some((other) => other !== to && reaches(graph, other, to)))
      .map((to) => `${from} --> ${to}`),
  );

test('the table of rooms lists every folder of src', async (t) => {
  const folders = (await readdir(src, { withFileTypes: true })).map(({ name }) => name);
  t.deepEqual(
    folders.filter((name) => !rooms.some((room) => room.split('/')[0] === name)),
    [],
  );
});

test('the picture shows the imports between rooms, and nothing else', async (t) => {
  const [, picture = ''] = /^```mermaid\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const names = new Map(
    Array.from(picture.matchAll(/(\w+)\["([^"]+)"\]/g), ([, id = '', name = '']) => [id, name]),
  );
  const nameOf = (id: string): string => names.get(id.trim()) ?? id.trim();
  const drawn = Array.from(picture.replaceAll(/\["[^"]+"\]/g, '').matchAll(/^ *(\w+) --> (.+)$/gm)).flatMap(
    ([, from = '', targets = '']) => targets.split('&').map((to) => `${nameOf(from)} --> ${nameOf(to)}`),
  );
  t.deepEqual([...drawn].sort(), [...transitiveReduction(await importGraph())].sort());
});
