/** What a load generator reports: the number of requests, and latency in milliseconds. */
export type LoadReport = Readonly<{ requests: number; seconds: number; p99: number; failures: number }>;

const milliseconds: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A length of time as wrk prints it, such as `1.52ms`. */
const duration = (number: string | undefined, unit: string | undefined): number =>
  Number(number) * (milliseconds[unit ?? ''] ?? Number.NaN);

/** Reads what `wrk --latency` prints; null if it is something else. */
export const parseWrk = (text: string): LoadReport | null => {
  const [, requests, length, lengthUnit] = /(\d+) requests in ([\d.]+)(us|ms|s|m|h),/.exec(text) ?? [];
  const [, p99, p99Unit] = /^\s*99%\s+([\d.]+)(us|ms|s|m|h)\s*$/m.exec(text) ?? [];
  if (requests === undefined || p99 === undefined) return null;
  const [, ...errors] =
    /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text) ?? [];
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1] ?? '0';
  return {
    requests: Number(requests),
    seconds: duration(length, lengthUnit) / 1000,
    p99: duration(p99, p99Unit),
    failures: [...errors, refused].reduce((sum, count) => sum + Number(count), 0),
  };
};

/**
 * A script for wrk that sends the requests of a file in turns, from the line after the first `skipped` ones on.
 * Each line is a path, a space and a `Cookie` header.
 */
export const rotatingScript = (file: string, skipped: number): string => `
local requests = {}
local current = ${Math.trunc(skipped)}
init = function(args)
  for line in io.lines(${JSON.stringify(file)}) do
    local path, cookie = line:match("^(%S+) (.*)$")
    requests[#requests + 1] = wrk.format("GET", path, { Cookie = cookie })
  end
end
request = function()
  current = current % #requests + 1
  return requests[current]
end
`;
