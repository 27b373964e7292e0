/** Sends JSON to a control: the status and the body of the answer. */
export const control = async (
  { url }: Readonly<{ url: string }>,
  method: string,
  path: string,
  body?: unknown,
  type = 'application/json',
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly [status: number, body: unknown]> => {
  const answer = await fetch(`${url}/__admin${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': type, ...headers }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return [answer.status, text === '' ? null : JSON.parse(text)];
};
