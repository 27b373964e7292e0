/**
 * The text of a response; null if its body, decompressed, has more than `maxBytes`. Then the rest is not
 * received: the connection is closed. A byte-order mark stays in the text, so that it can be noticed.
 */
export const readText = async ({ body }: Response, maxBytes: number): Promise<string | null> => {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join('') + decoder.decode();
    length += value.byteLength;
    if (length > maxBytes) {
      // The connection may be beyond closing properly, and nobody needs to wait for that.
      reader.cancel().catch(() => {});
      return null;
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
};
