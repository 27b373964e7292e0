import test from 'ava';
import { parseWrk, rotatingScript } from '../../bench/wrk.js';

const printed = `Running 2s test @ http://127.0.0.1:4000/api/v1/findings
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.98ms    2.65ms  60.98ms   96.01%
    Req/Sec    20.60k     7.81k   32.82k    50.00%
  Latency Distribution
     50%    1.43ms
     75%    1.72ms
     90%    2.91ms
     99%   12.40ms
  41204 requests in 2.01s, 393.21MB read
Requests/sec:  20499.50
Transfer/sec:    195.63MB
`;

test('what wrk prints is read: requests, time, the 99th percentile', (t) => {
  t.deepEqual(parseWrk(printed), { requests: 41_204, seconds: 2.01, p99: 12.4, failures: 0 });
});

test('times come in any unit', (t) => {
  t.is(parseWrk(printed.replace('12.40ms', '984.00us'))?.p99, 0.984);
  t.is(parseWrk(printed.replace('12.40ms', '1.20s'))?.p99, 1200);
  t.is(parseWrk(printed.replace('in 2.01s', 'in 1.50m'))?.seconds, 90);
});

test('errors of sockets and refused requests are failures', (t) => {
  const failed = `${printed}  Socket errors: connect 1, read 2, write 3, timeout 4\n  Non-2xx or 3xx responses: 5\n`;
  t.is(parseWrk(failed)?.failures, 15);
});

test('anything else is not taken for a report', (t) => {
  t.is(parseWrk('unable to connect to 127.0.0.1:4000 Connection refused'), null);
  t.is(parseWrk(printed.replace(/99%.*\n/, '')), null);
});

test('the script goes on after the requests that were sent before', (t) => {
  const script = rotatingScript('/tmp/a "file".txt', 1234);
  t.true(script.includes('local current = 1234\n'));
  t.true(script.includes('io.lines("/tmp/a \\"file\\".txt")'));
});
