import type { Preview } from '@storybook/react-vite';
import { setupWorker } from 'msw/browser';
import { triageHandlers } from 'triage-api/msw';

const worker = setupWorker();

const preview: Preview = {
  beforeAll: async () => {
    await worker.start({ onUnhandledRequest: 'bypass', quiet: true });
  },
  beforeEach: ({ parameters: { fixtures, faults = [] } }) => {
    const handlers = triageHandlers(fixtures, { session: true });
    for (const rule of faults) handlers.faults.add(rule);
    worker.use(...handlers);
    return () => worker.resetHandlers();
  },
};

export default preview;
