/** What a system call did that matters to files; `at` is its line in the trace. */
export type SystemCall =
  | Readonly<{ _tag: 'Open'; path: string; fd: number; isEmptied: boolean; isCreated: boolean }>
  | Readonly<{ _tag: 'Write'; fd: number; bytes: Buffer; offset: number | null }>
  | Readonly<{ _tag: 'Truncate'; fd: number; length: number }>
  | Readonly<{ _tag: 'Sync' | 'Close'; fd: number }>
  | Readonly<{ _tag: 'Rename'; from: string; to: string }>
  | Readonly<{ _tag: 'Remove'; path: string }>;

/** The calls that `strace` has to follow. */
export const tracedCalls = [
  ...['open', 'openat', 'write', 'writev', 'pwrite64', 'pwritev', 'sendto', 'sendmsg', 'ftruncate', 'close'],
  ...['fsync', 'fdatasync', 'rename', 'renameat', 'renameat2', 'unlink', 'unlinkat'],
];

const hex = (text: string): Buffer => Buffer.from(text.replaceAll('\\x', ''), 'hex');

/** The texts among the arguments of a call, which the trace has in hexadecimal. */
const stringsIn = (words: string): readonly Buffer[] =>
  Array.from(words.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g), ([, escaped]) => hex(escaped ?? ''));

/**
 * Joins the two halves of calls between which other threads had their turn. A call counts as done where it
 * returns: what was asked for, but has not returned, cannot be relied on.
 */
const wholeLines = function* (trace: string): Generator<string> {
  const begun = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    if (text.endsWith('<unfinished ...>')) {
      begun.set(thread, text.slice(0, -'<unfinished ...>'.length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(text);
    yield resumed === null ? text : `${begun.get(thread) ?? ''}${resumed[1]}`;
  }
};

/** Reads a trace of `strace -f -xx`. Calls that have failed are left out. */
export const systemCalls = function* (trace: string): Generator<SystemCall> {
  for (const line of wholeLines(trace)) {
    const [, name = '', words = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+)/s.exec(line) ?? [];
    if (name === '' || result.startsWith('-')) continue;
    const fd = Number.parseInt(words, 10);
    const strings = stringsIn(words);
    const paths = strings.map(String);
    switch (name) {
      case 'open':
      case 'openat':
        yield {
          ...{ _tag: 'Open', path: paths[0] ?? '', fd: Number(result) },
          ...{ isEmptied: words.includes('O_TRUNC'), isCreated: words.includes('O_CREAT') },
        };
        break;
      case 'write':
      case 'writev':
      case 'pwrite64':
      case 'pwritev':
      case 'sendto':
      case 'sendmsg': {
        const offset = name.startsWith('p') ? Number(/(\d+)\s*$/.exec(words)?.[1]) : null;
        yield { _tag: 'Write', fd, bytes: Buffer.concat(strings).subarray(0, Number(result)), offset };
        break;
      }
      case 'ftruncate':
        yield { _tag: 'Truncate', fd, length: Number(/(\d+)\s*$/.exec(words)?.[1]) };
        break;
      case 'fsync':
      case 'fdatasync':
        yield { _tag: 'Sync', fd };
        break;
      case 'close':
        yield { _tag: 'Close', fd };
        break;
      case 'rename':
      case 'renameat':
      case 'renameat2':
        yield { _tag: 'Rename', from: paths[0] ?? '', to: paths[1] ?? '' };
        break;
      default:
        yield { _tag: 'Remove', path: paths[0] ?? '' };
    }
  }
};
