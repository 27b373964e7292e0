import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { FindingDetail } from '../contract/finding.js';
import type { FindingPath } from '../contract/parameters.js';
import type { PresentedCredentials } from '../storage/port.js';
import type { ApiError } from './api-error.js';
import type { Dependencies } from './dependencies.js';
import { findingDetailView } from './finding-view.js';
import { renderOnce } from './render-once.js';
import { contractBroken } from './render-rows.js';
import type { Rendered } from './rendered.js';

/** One finding of the caller in full; an unknown id and somebody else's are one and the same (contract, section 4.3). */
export const getFinding = ({ storage }: Pick<Dependencies, 'storage'>) => {
  const renderDetail = renderOnce(FindingDetail, findingDetailView);
  return (credentials: PresentedCredentials, { id }: FindingPath): TE.TaskEither<ApiError, Rendered> =>
    pipe(
      storage.finding(credentials, id),
      TE.flatMapEither(
        (facts): E.Either<ApiError, Rendered> =>
          facts === null
            ? E.left({ _tag: 'FindingNotFound' })
            : pipe(renderDetail(facts), E.mapLeft(contractBroken(`fix draft ${facts.draft.id}`))),
      ),
    );
};
