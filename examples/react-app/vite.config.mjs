import react from '@vitejs/plugin-react';

const target = process.env.TRIAGE_API ?? 'http://127.0.0.1:4000';

export default {
  plugins: [react()],
  server: {
    proxy: { '^/(api/v1/|(login|logout|session)$)': { target } },
  },
};
