import { connect } from 'node:net';

/** Sends bytes to a server and gives all that comes back until it hangs up, or `until` has come. */
export const raw = (url: string, bytes: string, until = /$^/): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (until.test(text)) socket.end();
    });
    socket.on('close', () => resolve(text)).on('error', reject);
    socket.write(bytes);
  });
