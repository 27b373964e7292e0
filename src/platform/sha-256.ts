/** The first `count` prime numbers. */
const primes = (count: number): readonly number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
};

/** The first 32 bits of the fractional part of a number. */
const fraction = (n: number): number => ((n - Math.floor(n)) * 2 ** 32) | 0;

/** The constants of the standard (FIPS 180-4, sections 4.2.2 and 5.3.3). */
const roundConstants = Int32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const initialHash = Int32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

const blockLength = 64;

/** A message with a 1 bit, zeros and its length in bits after it, so that it fills whole blocks. */
const padded = (message: Uint8Array): DataView => {
  const length = Math.ceil((message.length + 9) / blockLength) * blockLength;
  const bytes = new Uint8Array(length);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(length - 4, message.length << 3);
  return view;
};

const rotated = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The words of a block, and those that are derived from them, one for each round. */
const schedule = (view: DataView, start: number): Int32Array => {
  const words = new Int32Array(blockLength);
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(start + 4 * i);
  for (let i = 16; i < words.length; i += 1) {
    const [early = 0, late = 0] = [words[i - 15], words[i - 2]];
    const first = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const second = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[i] = ((words[i - 16] ?? 0) + first + (words[i - 7] ?? 0) + second) | 0;
  }
  return words;
};

/** Works a block into a hash (FIPS 180-4, section 6.2.2). */
const compress = (hash: Int32Array, words: Int32Array): void => {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < words.length; i += 1) {
    const big = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + big + choice + (roundConstants[i] ?? 0) + (words[i] ?? 0)) | 0;
    const small = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + small + majority) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = (hash[i] ?? 0) + word;
};

/**
 * The SHA-256 of a message. Browsers have it too, but only as a promise and only on secure pages; a hash is
 * needed at once here, and of little data.
 */
export const sha256 = (message: Uint8Array): Uint8Array => {
  const view = padded(message);
  const hash = initialHash.slice();
  for (let start = 0; start < view.byteLength; start += blockLength) compress(hash, schedule(view, start));
  const digest = new DataView(new ArrayBuffer(4 * hash.length));
  for (const [i, word] of hash.entries()) digest.setInt32(4 * i, word);
  return new Uint8Array(digest.buffer);
};
