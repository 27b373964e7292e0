import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const textAt = (value: unknown, key: string): string =>
  isRecord(value) && typeof value[key] === 'string' ? value[key] : '';

/** The line in the source that an offset of a compiled file comes from; undefined where there is none. */
export const sourceLines = async (
  file: string,
  text: string,
): Promise<(offset: number) => number | undefined> => {
  const parsed: unknown = JSON.parse(await readFile(`${file}.map`, 'utf8'));
  const map = new SourceMap({
    file,
    version: 3,
    sources: [file],
    sourcesContent: [],
    names: [],
    sourceRoot: '',
    mappings: textAt(parsed, 'mappings'),
  });
  return (offset) => {
    const before = text.slice(0, offset).split('\n');
    const entry: unknown = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    return isRecord(entry) && typeof entry.originalLine === 'number' ? entry.originalLine + 1 : undefined;
  };
};
