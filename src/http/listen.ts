import { createServer } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type Koa from 'koa';
import { answerMalformed } from './answer-malformed.js';

/** A server that accepts requests. */
export type Listening = Readonly<{
  /** The port it got, where any free one was asked for. */
  port: number;
  /** Takes no more requests, lets those in flight finish for at most `patience` milliseconds, then cuts them off. */
  stop: (patience: number) => Promise<void>;
}>;

/** Serves an application on a host and port (0: any free one); `left` is the system's reason why it cannot. */
export const listen =
  (app: Koa, host: string, port: number): TaskEither<NodeJS.ErrnoException, Listening> =>
  () => {
    const server = createServer(app.callback());
    server.on('clientError', answerMalformed);

    const stop = async (patience: number): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A kept-alive connection turns idle after its response, and would then be waited for.
      const sweep = setInterval(() => server.closeIdleConnections(), 20);
      const cutOff = setTimeout(() => server.closeAllConnections(), patience);
      await closed;
      clearInterval(sweep);
      clearTimeout(cutOff);
    };

    return new Promise((resolve) => {
      server.once('error', (error) => resolve(E.left(error)));
      server.listen(port, host, () => {
        const address = server.address();
        resolve(
          E.right({ port: typeof address === 'object' && address !== null ? address.port : port, stop }),
        );
      });
    });
  };
