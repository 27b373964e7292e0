import Koa from 'koa';

/** The partner of `bench/start.ts`: a Koa server that sends one prepared string. First argument: its port. */
const body = JSON.stringify({
  items: Array.from({ length: 25 }, (_, i) => ({
    id: `finding_${i}`,
    severity: 'high',
    title: 'x'.repeat(200),
  })),
  total: 25,
});

const app = new Koa();
app.use((ctx) => {
  ctx.type = 'application/json';
  ctx.body = body;
});
app.listen(Number(process.argv[2]), '127.0.0.1');
