import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const target = process.env.TRIAGE_API ?? 'http://127.0.0.1:4000';

export default defineConfig({
  plugins: [react()],
  server: {
    proxy: {
      '^/(api/v1|login|signup|logout|session)([/?]|$)': {
        target,
        // Otherwise a page waits for ever for the rest of a response that has ended too early.
        configure: (proxy) => proxy.on('proxyRes', (from, _, to) => from.on('error', () => to.destroy())),
      },
    },
  },
});
