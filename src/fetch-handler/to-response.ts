import type { Answer } from './answer.js';

/** Names and values of headers that stand in turn, as pairs. */
const pairsOf = (head: readonly string[]): [string, string][] =>
  Array.from({ length: head.length / 2 }, (_, i) => [head[2 * i] ?? '', head[2 * i + 1] ?? '']);

/** A body that ends before its end: reading it fails, as it does when a connection is cut. */
const cutOff = (content: string | Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) =>
      controller.enqueue(typeof content === 'string' ? new TextEncoder().encode(content) : content),
    pull: (controller) => controller.error(cut()),
  });

const cut = (): TypeError => new TypeError('the connection was cut, which was simulated');

/**
 * An answer as a `Response`. As with `fetch`, it throws a `TypeError` if the connection is cut, and the
 * reason of the signal if the client has given up.
 */
export const toResponse = (answer: Answer, signal: AbortSignal): Response => {
  if (answer._tag === 'Cut') throw cut();
  if (answer._tag === 'Gone') throw signal.reason;
  const { status, head, content, isCut } = answer;
  const body = isCut && content !== null ? cutOff(content) : bodyOf(content);
  return new Response(body, { status, headers: pairsOf(head) });
};

/** A copy, so that nobody changes what is kept. */
const bodyOf = (content: string | Uint8Array | null): string | Uint8Array<ArrayBuffer> | null =>
  content === null || typeof content === 'string' ? content : Uint8Array.from(content);
