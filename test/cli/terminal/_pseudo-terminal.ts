import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../_find-program.js';

const binary = fileURLToPath(new URL('../../../../bin/triage-api.js', import.meta.url));

const inPath = (name: string): readonly string[] =>
  (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));

/** Python, whose standard library can open pseudo-terminals; null if it is not installed. */
export const python = process.platform === 'win32' ? null : findProgram(inPath('python3'));

/**
 * Runs a program on a pseudo-terminal of a size, and types what it is told to. Its output is written to
 * standard output. `actions` are what to do as soon as a text has been shown: type, or write a file.
 */
const script = `
import json, os, pty, signal, struct, sys, fcntl, termios
words, columns, actions = json.loads(sys.argv[1]), int(sys.argv[2]), json.loads(sys.argv[3])
# Only a program that waits for ever takes this long, even on a busy machine.
signal.alarm(300)
pid, fd = pty.fork()
if pid == 0:
    os.execvp(words[0], words)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
shown = b''
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    shown += data
    while actions and actions[0]['after'].encode() in shown:
        action = actions.pop(0)
        shown = shown[shown.index(action['after'].encode()) + len(action['after'].encode()):]
        if 'type' in action:
            os.write(fd, action['type'].encode())
        if 'write' in action:
            with open(action['write'][0], 'w') as file:
                file.write(action['write'][1])
    os.write(1, data)
_, status = os.waitpid(pid, 0)
code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
sys.exit(code)
`;

/** What to do once a text has been shown on the terminal since the previous action. */
export type Action = Readonly<{ after: string }> &
  Readonly<
    | { type: string }
    /** A path, and the text that is written to the file. */
    | { write: readonly [string, string] }
  >;

type Settings = Readonly<{
  columns?: number;
  environment?: Readonly<Record<string, string>>;
  actions?: readonly Action[];
}>;

/** Variables that would change what a terminal gets. */
const ignored =
  /^(?:CI|FORCE_COLOR|NO_COLOR|NODE_DISABLE_COLORS|TERM|PORT|HOST|LOG_LEVEL|DATABASE_URL|TRIAGE_.*)$/;

/** Runs this program on a pseudo-terminal. `shown` is everything that the terminal got. */
export const runOnTerminal = async (
  words: readonly string[],
  { columns = 80, environment = {}, actions = [] }: Settings = {},
): Promise<Readonly<{ code: number; shown: string }>> => {
  if (python === null) throw new Error('python3 is not installed');
  const inherited = Object.entries(process.env).filter(([name]) => !ignored.test(name));
  const child = spawn(
    python,
    [
      '-c',
      script,
      JSON.stringify([process.execPath, binary, ...words]),
      String(columns),
      JSON.stringify(actions),
    ],
    {
      env: { ...Object.fromEntries(inherited), TERM: 'xterm-256color', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? -1)));
  return { code, shown: shown.replaceAll('\r\n', '\n') };
};

const control = '\u001b\\[';
const style = new RegExp(`${control}[\\d;]*m`, 'g');
const sequenceOrCharacter = new RegExp(`(${control}\\??\\d*[A-Zhl])|([^])`, 'gu');

/** What is left on a screen after everything that a terminal got, without styles. */
export const screenAfter = (shown: string, columns = 80): string => {
  const rows: string[][] = [[]];
  let [row, column, wraps] = [0, 0, true];
  const plain = shown.replaceAll(style, '');
  for (const [, sequence, character = ''] of plain.matchAll(sequenceOrCharacter)) {
    const count = Number(sequence?.slice(2, -1) || 1);
    if (sequence?.endsWith('A')) row = Math.max(0, row - count);
    else if (sequence?.endsWith('J')) {
      rows.length = row + 1;
      rows[row] = (rows[row] ?? []).slice(0, column);
    } else if (sequence?.startsWith('\u001b[?7')) wraps = sequence.endsWith('h');
    else if (sequence !== undefined) throw new Error(`unknown sequence ${JSON.stringify(sequence)}`);
    else if (character === '\r') column = 0;
    else {
      if (character === '\n' || (column >= columns && wraps)) [row, column] = [row + 1, 0];
      rows[row] ??= [];
      if (character === '\n') continue;
      (rows[row] ?? [])[Math.min(column, columns - 1)] = character;
      column += 1;
    }
  }
  return rows.map((cells) => Array.from(cells, (cell) => cell ?? ' ').join('')).join('\n');
};
