import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

// Sends the load that the first argument describes as JSON, and prints what came of it as JSON.
const { url, headers, seconds, connections, rotation } = JSON.parse(process.argv[2]);

const rotated = () => {
  const lines = readFileSync(rotation.file, 'utf8').trimEnd().split('\n');
  const first = rotation.skipped % lines.length;
  return [...lines.slice(first), ...lines.slice(0, first)].map((line) => {
    const [path, cookie] = line.split(/ (.*)/);
    return { path, headers: { ...headers, cookie } };
  });
};

const result = await autocannon({
  url,
  headers,
  connections,
  duration: seconds,
  ...(rotation === undefined ? {} : { requests: rotated() }),
});
process.stdout.write(
  JSON.stringify({
    requests: result.requests.total,
    seconds: result.duration,
    p99: result.latency.p99,
    failures: result.errors + result.timeouts + result['4xx'] + result['5xx'],
  }),
);
