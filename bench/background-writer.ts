import pg from 'pg';

/** Updates rows until it is stopped; then it says how many it has updated. */
export type BackgroundWriter = Readonly<{ stop: () => Promise<number> }>;

/** Updates random findings of a tenant, each in a transaction of its own, so many times a second. */
export const startBackgroundWriter = async (
  url: string,
  userId: string,
  rows: number,
  perSecond: number,
): Promise<BackgroundWriter> => {
  if (perSecond === 0) return { stop: async () => 0 };
  const client = new pg.Client({ connectionString: url });
  // A server that stops says so to each connection; without a listener Node would end.
  client.on('error', () => {});
  await client.connect();
  let count = 0;
  let failure: unknown = null;
  let running: Promise<void> | null = null;
  const update = async (): Promise<void> => {
    const status = count % 2 === 0 ? 'resolved' : 'pending';
    const id = `d${1 + Math.floor(Math.random() * rows)}`;
    await client.query({
      name: 'update',
      text: 'UPDATE triage.fix_drafts SET status = $3 WHERE user_id = $1 AND id = $2',
      values: [userId, id, status],
    });
    count += 1;
  };
  const timer = setInterval(() => {
    running ??= update()
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => {
        running = null;
      });
  }, 1000 / perSecond);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
      await client.end();
      if (failure !== null) throw failure;
      return count;
    },
  };
};
