import type { AccountError } from '../accounts/account-flow.js';
import { accountFailures } from '../accounts/failures.js';
import { apiFailures, type Failure, type FailureFacts, factsOfBoth, failureFacts } from '../api/failures.js';

/** How long a form may be, in kB of 1,024 bytes. */
export const maxFormLength = 16;

/** Why what was posted to a page is refused. */
export type PostRefused =
  | Readonly<{ _tag: 'MalformedBody' | 'BodyTooLong' | 'UnsupportedMediaType' }>
  /** `advice`: what to set, if the page that posts is the operator's own. */
  | Readonly<{ _tag: 'CrossSiteRequest'; advice?: string }>;

/** Every way in which a request for a page can fail. */
export type PageFailure = Failure | AccountError | PostRefused;

const postFailures = failureFacts<PostRefused>(
  {
    MalformedBody: [400, 'The body cannot be read'],
    CrossSiteRequest: [403, null],
    BodyTooLong: [413, `The body is longer than ${maxFormLength}kb`],
    UnsupportedMediaType: [415, 'Expected application/json or application/x-www-form-urlencoded'],
  },
  (failure) =>
    failure._tag === 'CrossSiteRequest'
      ? `Requests from other sites are not accepted${failure.advice === undefined ? '' : `. ${failure.advice}`}`
      : null,
);

/** What pages and their JSON say about failures. */
export const pageFailures: FailureFacts<PageFailure> = factsOfBoth(
  factsOfBoth(apiFailures, accountFailures),
  postFailures,
);
