import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import type { Context } from 'koa';
import type { AccountError } from '../../accounts/account-error.js';
import { render, renderError } from '../../api/rendered.js';
import type { Problem } from '../../codecs/problem.js';
import type { Log } from '../../common/log.js';
import { errorPage } from '../../pages/error-page.js';
import type { Html } from '../../pages/html.js';
import type { PageContext } from '../../pages/layout.js';
import type { StorageError } from '../../storage/port.js';
import { logError } from '../log-error.js';
import { challenge } from '../read-credentials.js';
import { send, sendError } from '../send.js';
import { accountErrorAnswer } from './account-error-answer.js';
import { speaksJson } from './speaks-json.js';

/** The ways in which the web flows answer: pages to browsers, JSON to scripts. */
export type WebAnswers = Readonly<{
  page: (ctx: Context, status: number, page: Html) => void;
  json: <A, O>(ctx: Context, status: number, codec: t.Type<A, O>, body: A) => void;
  redirect: (ctx: Context, path: '/' | '/login' | '/settings/api-tokens') => void;
  /** A refusal that no form of ours leads to: in JSON, or on a page of its own. */
  problem: (ctx: Context, status: number, message: string) => Promise<void>;
  /** What went wrong with an account: in JSON, or on a page that `again` makes of the message. */
  failure: (ctx: Context, error: AccountError, again: (message: string) => Promise<Html>) => Promise<void>;
}>;

export const webAnswers = (
  frameFor: (ctx: Context) => Promise<PageContext>,
  /** Told of a request whose storage did not answer: it is not to be asked, and waited for, once more. */
  cutOff: (ctx: Context) => void,
  log: Log,
): WebAnswers => {
  const page = (ctx: Context, status: number, { markup }: Html): void => {
    ctx.status = status;
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = markup;
  };
  return {
    page,
    json: (ctx, status, codec, body) => {
      const rendered = render(codec, body);
      if (E.isRight(rendered)) return send(ctx, status, rendered.right);
      const error = { _tag: 'ContractBroken', row: codec.name, problems: rendered.left } as const;
      logError(log, `${ctx.method} ${ctx.path}`, error);
      sendError(ctx, error);
    },
    redirect: (ctx, path) => {
      ctx.redirect(path);
      ctx.status = 303;
    },
    problem: async (ctx, status, message) => {
      if (speaksJson(ctx)) return send(ctx, status, renderError(message));
      page(ctx, status, errorPage(await frameFor(ctx), 'That did not work', `${message}.`));
    },
    failure: async (ctx, error, again) => {
      if (isStorageError(error)) {
        logError(log, `${ctx.method} ${ctx.path}`, error);
        cutOff(ctx);
      }
      const { status, message } = accountErrorAnswer(error);
      if (status === 401) ctx.set('WWW-Authenticate', challenge(['session']));
      if (status === 503) ctx.set('Retry-After', '1');
      if (error._tag === 'TooManyAttempts') ctx.set('Retry-After', String(error.retryAfterSeconds));
      if (speaksJson(ctx)) send(ctx, status, renderError(message));
      else
        page(ctx, status, await again(`${error._tag === 'InvalidForm' ? advice(error.problems) : message}.`));
    },
  };
};

const isStorageError = (error: AccountError): error is StorageError =>
  ['StorageUnavailable', 'StorageFailed', 'RecordBroken'].includes(error._tag);

/** What to enter instead, for people; a script is told where and what it sent. */
const advice = (problems: readonly Problem[]): string => {
  const wanted = problems.map(({ expected }) => expected).join('; and ');
  return `Please enter ${wanted}`;
};
