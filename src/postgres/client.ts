import pg from 'pg';

// The driver reads messages in a listener of its socket. Nobody can catch what it throws there; at others it
// waits for any number of bytes, loops, or loses a row. So each one is checked before the driver gets it.

/** The types of messages to a program that copies no rows: those of a login, of results, and notices. */
const types = 'RKS12nTDCI3EZNA';

/** The length of the message that bytes begin with, or of its head. At most 200 rows are in one. */
const lengthOf = (bytes: Buffer): number => {
  if (bytes.length < 5) return 5;
  const length = bytes.readUInt32BE(1);
  if (types.includes(bytes.toString('latin1', 0, 1)) && length >= 4 && length <= 2 ** 28) return 1 + length;
  throw new Error('it has an unknown type, or an impossible length');
};

/** Whether the fields of a row fill its message. */
const isWhole = (row: Buffer): boolean => {
  let end = 7;
  for (let fields = row.readInt16BE(5); fields > 0; fields -= 1) {
    const size = row.readInt32BE(end);
    end += 4 + (size === -1 ? 0 : size);
  }
  return end === row.length;
};

/** Throws at a message that the driver cannot read, or that cannot follow those before it. */
const messageCheck = (): ((message: Buffer) => void) => {
  const done = -2;
  /** How many rows of a result have come; -1: its description has not; `done`: it is complete. */
  let rows = -1;
  return (message) => {
    const type = message.toString('latin1', 0, 1);
    if (type === 'R' && [2, 6, 7, 8, 9].includes(message.readInt32BE(5)))
      throw new Error('it asks for a method of authentication that is not supported, such as gss or sspi');
    const [, count] = (type === 'C' && /^SELECT (\d+)\0$/.exec(message.toString('latin1', 5))) || [];
    const isRight =
      (type !== 'T' || rows < 0) &&
      (type !== 'D' || (rows >= 0 && isWhole(message))) &&
      (count === undefined || Number(count) === rows) &&
      // The driver looks for this end however far away it is.
      (!'EN'.includes(type) || message.readUInt16BE(message.length - 2) === 0) &&
      (type !== 'Z' || rows === done);
    if (!isRight) throw new Error(`it is incomplete, or out of order (type ${type})`);
    if (type === 'D') rows += 1;
    else if ('RCIE3'.includes(type)) rows = done;
    else if ('TZ'.includes(type)) rows = type === 'T' ? 0 : -1;
  };
};

/** Hands those who listen to a stream its messages, one by one, and ends it at one that is wrong. */
const checkMessages = (stream: pg.Connection['stream']): void => {
  const listeners = stream.listeners('data');
  const check = messageCheck();
  let chunks: Buffer[] = [];
  let [length, needed] = [0, 0];
  stream.removeAllListeners('data').on('data', (bytes: Buffer) => {
    chunks.push(bytes);
    length += bytes.length;
    // A long message is put together once, not with each chunk.
    if (length < needed) return;
    try {
      let rest = Buffer.concat(chunks);
      for (needed = lengthOf(rest); needed <= rest.length; needed = lengthOf(rest)) {
        const message = rest.subarray(0, needed);
        rest = rest.subarray(needed);
        check(message);
        for (const listener of listeners) Reflect.apply(listener, stream, [message]);
      }
      [chunks, length] = [[rest], rest.length];
    } catch (error) {
      stream.destroy(new Error(`cannot read a message of the database: ${Object(error).message}`));
    }
  });
};

const ownOptions = { application_name: 'triage-api', keepAlive: true, keepAliveInitialDelayMillis: 60_000 };

/** A client of the driver whose connection ends, with an error, at a message that cannot be read. */
export class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, ...ownOptions });
    // By then, the driver listens to its stream, and nothing that it parses has come.
    this.connection.once(this.ssl ? 'sslconnect' : 'connect', () => checkMessages(this.connection.stream));
    // The driver would leave the socket of a failed login open, and Node would exit where nobody listens.
    this.connection.on('error', () => this.connection.stream.destroy());
    this.on('error', () => {});
  }
}
