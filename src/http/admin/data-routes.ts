import * as E from '#fp-ts/Either';
import { JsonValue } from '../../common/json.js';
import { formatProblem } from '../../contract/codecs/problem.js';
import { patchOf } from '../../simulation/dataset-patch.js';
import type { ChangeRefused, LiveData } from '../../simulation/live-data.js';
import type { ControlFailure } from '../operations/failures.js';
import { type AdminRoute, adminRoute } from './admin-route.js';

const tag = 'Data';

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';

/** The controls of the data. */
export const dataRoutes = ({ change, reset }: LiveData): readonly AdminRoute[] => [
  adminRoute({
    id: 'patchTenant',
    method: 'POST',
    path: '/tenants/{id}/patch',
    tag,
    summary: 'Change the data of a tenant.',
    description:
      'A JSON patch (RFC 6902) or a merge patch (RFC 7396) of the fixture file of the tenant, which is named by the file or by the id of its user. In a merge patch, an object in the place of a collection names rows by their ids. The result has to be as valid as a file; a patch that is refused changes nothing.',
    mediaTypes: [jsonPatch, mergePatch],
    query: null,
    body: JsonValue,
    success: { status: 204, description: 'The next request sees the changed data.', codec: null },
    failures: { 404: 'There is no such tenant.' },
    handle: async ({ params: { id = '' }, body, mediaType }) => {
      if ((mediaType === jsonPatch) !== Array.isArray(body))
        return E.left({
          _tag: 'ControlInvalid',
          problems: [`expected a list for ${jsonPatch}, or an object for ${mergePatch}`],
        });
      return E.mapLeft((refused: ChangeRefused) => refusal(id, refused))(await change(id, patchOf(body)));
    },
  }),
  adminRoute({
    id: 'resetData',
    method: 'POST',
    path: '/reset',
    tag,
    summary: 'Go back to the data in the files.',
    description: 'Accounts that signed up, their sessions and the clock stay; a scenario starts over.',
    query: null,
    body: null,
    success: { status: 204, description: 'The next request sees the data of the files.', codec: null },
    handle: async () => {
      await reset();
      return E.right(undefined);
    },
  }),
];

const refusal = (id: string, refused: ChangeRefused): ControlFailure =>
  refused._tag === 'UnknownTenant'
    ? { _tag: 'ControlMissing', what: `tenant ${id}` }
    : { _tag: 'ControlInvalid', problems: refused.problems.map(formatProblem) };
