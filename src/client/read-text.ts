/**
 * The text of a response; null if its body, decompressed, has more than `maxBytes`. Then the rest is not
 * received: the connection is closed.
 */
export const readText = async ({ body }: Response, maxBytes: number): Promise<string | null> => {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
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
