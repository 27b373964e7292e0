import type { Context } from 'koa';
import type { Simulation } from '../simulation/simulation.js';
import { afterDelay } from './delay-api.js';

/** Sends nothing. The connection is cut at the bound or when the server stops, if the client has not left. */
export const hang = async (
  ctx: Context,
  { maxHang, stopping }: Pick<Simulation, 'maxHang' | 'stopping'>,
): Promise<void> => {
  ctx.respond = false;
  const cut = (): void => void ctx.res.destroy();
  if (stopping.aborted) return cut();
  stopping.addEventListener('abort', cut);
  await afterDelay(ctx, maxHang, async () => cut());
  stopping.removeEventListener('abort', cut);
};
