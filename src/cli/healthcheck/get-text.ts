/** The status of a response, and its body or the beginning of it. */
export type TextResponse = Readonly<{ status: number; text: string }>;

/**
 * Sends a GET request and reads up to `maxLength` bytes of the response. Redirects are not followed. Rejects
 * if there is no response within `timeout` milliseconds. `trustAny`: over https, any certificate will do.
 * Unlike `fetch`, it loads little: containers start a process for it every few seconds.
 */
export const getText = async (
  target: URL,
  { timeout, maxLength, trustAny }: Readonly<{ timeout: number; maxLength: number; trustAny: boolean }>,
): Promise<TextResponse> => {
  const { get } = target.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const request = get(target, { agent: false, rejectUnauthorized: !trustAny }, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      const finish = (): void => {
        clearTimeout(timer);
        const text = Buffer.concat(chunks).subarray(0, maxLength).toString('utf8');
        resolve({ status: response.statusCode ?? 0, text });
        request.destroy();
      };
      response
        .on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length >= maxLength) finish();
        })
        .on('end', finish)
        .on('error', fail);
    });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => request.destroy(new Error(`no response within ${timeout} ms`)), timeout);
    request.on('error', fail);
  });
};
