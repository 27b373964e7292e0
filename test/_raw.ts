import { connect } from 'node:net';

/** A connection on which bytes were sent; what has come back; and the end of it. */
export type Talk = Readonly<{
  /** Resolves once this has come, or the other side has hung up. */
  shows: (what: RegExp) => Promise<string>;
  /** Sends more bytes. */
  send: (more: string) => void;
  hangUp: () => void;
}>;

/** Connects to a server and sends it bytes as they are. */
export const talk = (url: string, bytes: string): Talk => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  return {
    shows: (what) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (what.test(text) || socket.closed) resolve(text);
        };
        socket.on('data', look).on('close', () => resolve(text));
        look();
      }),
    send: (more) => socket.write(more),
    hangUp: () => socket.destroy(),
  };
};

/** Sends bytes to a server and gives all that comes back until it hangs up, or `until` has come. */
export const raw = async (url: string, bytes: string, until = /(?!)/): Promise<string> => {
  const { shows, hangUp } = talk(url, bytes);
  const text = await shows(until);
  hangUp();
  return text;
};

/** A request, as bytes, whose server says at once that it has it: `100 Continue`, long before it answers. */
export const announced = (path: string, cookie: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: session=${cookie}\r\nExpect: 100-continue\r\n\r\n`;

/** A login, as bytes. Between `100 Continue`, the answer to its head, and its body, it is in flight. */
export const loginInTwo = (email: string, password: string): Readonly<{ head: string; body: string }> => {
  const body = JSON.stringify({ email, password });
  const headers = ['Host: localhost', 'Content-Type: application/json', `Content-Length: ${body.length}`];
  return { head: ['POST /login HTTP/1.1', ...headers, 'Expect: 100-continue', '', ''].join('\r\n'), body };
};
