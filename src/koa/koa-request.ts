import { finished } from 'node:stream/promises';
import type { Context } from 'koa';
import type { RequestRefused } from '../api/failures.js';
import {
  chosenRequestId,
  mediaTypeOf,
  type Notes,
  type Posted,
  type ServiceRequest,
} from '../api/request.js';
import { addressOf } from './guard.js';

/** What only the server knows of its clients. */
type Trust = Readonly<{
  /** Whether a request certainly comes from this machine, and the server is there for nobody else. */
  isLocal: (request: Context['req']) => boolean;
  /** Whether a request may use the mock controls. */
  mayControl: (request: Context['req']) => boolean;
}>;

/** A request to the server as the service takes it. What is seldom needed is read when it is. */
export class KoaRequest implements ServiceRequest {
  readonly id: string;
  readonly notes: Notes = {};
  readonly refused: RequestRefused | null;
  readonly method: string;
  readonly path: string;
  readonly querystring: string;
  readonly target: string;
  readonly headers: ServiceRequest['headers'];
  readonly #ctx: Context;
  readonly #trust: Trust;
  #signal: AbortSignal | undefined;
  #body: ReturnType<ServiceRequest['body']> | undefined;

  constructor(ctx: Context, trust: Trust, refused: RequestRefused | null) {
    this.#ctx = ctx;
    this.id = chosenRequestId(ctx.req.headers);
    this.refused = refused;
    this.#trust = trust;
    this.target = ctx.req.url ?? '';
    this.method = ctx.method;
    this.path = ctx.path;
    this.querystring = ctx.querystring;
    this.headers = ctx.req.headers;
  }

  get origin(): string {
    return `${this.#ctx.protocol}://${this.#ctx.host}`;
  }

  get isSecure(): boolean {
    return this.#ctx.secure;
  }

  get address(): string {
    return addressOf(this.#ctx);
  }

  get network(): string {
    return addressOf(this.#ctx, 48);
  }

  get isLocal(): boolean {
    return this.#trust.isLocal(this.#ctx.req);
  }

  get mayControl(): boolean {
    return this.#trust.mayControl(this.#ctx.req);
  }

  // A client that has sent everything may still read; but few do, and logins need not wait for them.
  hasLeft(): boolean {
    const { destroyed, readableEnded } = this.#ctx.req.socket;
    return destroyed || readableEnded;
  }

  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    const controller = new AbortController();
    const { res } = this.#ctx;
    if (res.closed || res.destroyed) controller.abort();
    else res.once('close', () => controller.abort());
    this.#signal = controller.signal;
    return controller.signal;
  }

  body(maxLength: number): Promise<Posted | 'TooLong' | 'Malformed'> {
    this.#body ??= this.#readBody(maxLength);
    return this.#body;
  }

  /** The parser imports much: it is loaded with the first body. All types are only text to it. */
  async #readBody(maxLength: number): Promise<Posted | 'TooLong' | 'Malformed'> {
    const type = mediaTypeOf(this);
    const { 'content-length': length = '0', 'transfer-encoding': coding } = this.#ctx.req.headers;
    const isEmpty = length === '0' && coding === undefined;
    if (isEmpty || !/^[\w.+-]+\/[\w.+-]+$/.test(type)) return isEmpty ? { type, text: '' } : 'Malformed';
    // The parser would wait for its next tick, which the fake timers of Jest stop.
    if (Number(length) > maxLength) return this.#endConnection();
    const { default: bodyParser } = await import('koa-bodyparser');
    const options = { enableTypes: ['text'], extendTypes: { text: [type] }, textLimit: `${maxLength}b` };
    try {
      await bodyParser(options)(this.#ctx, async () => {});
      const { rawBody } = this.#ctx.request;
      return { type, text: typeof rawBody === 'string' ? rawBody : '' };
    } catch (error) {
      // The errors of the parser are of several classes; what they have in common is a status.
      if (!(error instanceof Error && 'status' in error && error.status === 413)) return 'Malformed';
      return this.#endConnection();
    }
  }

  /**
   * Has the connection closed after the answer: what follows a body that was not read cannot be trusted to be
   * a request. Reads the rest first, because a client that is still writing would never see the answer.
   */
  async #endConnection(): Promise<'TooLong'> {
    const { req, res } = this.#ctx;
    res.setHeader('Connection', 'close');
    req.resume();
    await finished(req, { signal: AbortSignal.timeout(restOfBody) }).catch(() => {});
    return 'TooLong';
  }
}

/** How long the rest of a body that is too long may take to arrive, in milliseconds. */
const restOfBody = 2000;
