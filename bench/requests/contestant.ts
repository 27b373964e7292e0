/** A running server and the request that it is measured with. */
export type Contestant = Readonly<{
  name: string;
  /** What it does for a request, in a few words. */
  work: string;
  /** With the path of the request. */
  url: string;
  headers: Readonly<Record<string, string>>;
  pid: number;
}>;

export type Answer = Readonly<{ status: number; body: string; etag: string }>;

/** The answer to the request of a contestant. */
export const answerOf = async ({ url, headers }: Pick<Contestant, 'url' | 'headers'>): Promise<Answer> => {
  const response = await fetch(url, { headers });
  return {
    status: response.status,
    body: Buffer.from(await response.arrayBuffer()).toString('utf8'),
    etag: response.headers.get('etag') ?? '',
  };
};
