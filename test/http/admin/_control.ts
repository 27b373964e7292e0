/** Sends JSON to a control: the status and the body of the answer. */
export const control = async (
  { url }: Readonly<{ url: string }>,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
): Promise<readonly [status: number, body: unknown]> => {
  const answer = await fetch(`${url}/__admin${path}`, {
    method,
    ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return [answer.status, text === '' ? null : JSON.parse(text)];
};
