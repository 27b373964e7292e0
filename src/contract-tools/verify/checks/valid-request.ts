import type { AnyOperation } from '../../../contract/operations.js';
import type { Exchange } from '../caching-client.js';
import { idsIn } from '../json-rows.js';
import { sampledList } from '../list-needs.js';
import type { Need } from '../need.js';
import { response, sampled } from '../request-needs.js';
import { requestTo } from '../requests.js';
import type { Auth } from '../test-credentials.js';

/**
 * A request that valid credentials get a 200 for. Where the path needs an id, that of any finding will do.
 */
export const validRequest = (operation: AnyOperation, auth: Auth): Need<Exchange> =>
  'id' in operation.pathParameters.type.props
    ? sampled(sampledList('findings'), ({ rows }) =>
        idsIn(rows)
          .slice(0, 1)
          .map((id) => requestTo(operation, { id, auth })),
      )
    : response(requestTo(operation, { auth }));
