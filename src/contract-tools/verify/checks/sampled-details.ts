import { canStandInPath, encodeUrlComponent } from '../../../client/outgoing-request.js';
import type { Exchange } from '../caching-client.js';
import { idsIn, type Located, stringField } from '../json-rows.js';
import { sampledList } from '../list-needs.js';
import { both, derived, mapped, type Need, optional, split } from '../need.js';
import { response, sampled } from '../request-needs.js';
import { findingRequest } from '../requests.js';

/** The number of findings whose details are fetched. */
const maxDetails = 8;

/** A finding of the list, and the response to getFinding for its id. */
export type SampledDetail = Readonly<{ listed: Located; exchange: Exchange }>;

type ListedFinding = Readonly<{ id: string; listed: Located }>;

/**
 * Some findings of the list: those whose id needs escaping, one with and one without pull requests, the first
 * and the last, and others in between. If the list of pull requests is unusable, none counts as having any.
 */
const sampledFindings: Need<readonly ListedFinding[]> = mapped(
  both(
    sampledList('findings'),
    optional(
      mapped(sampledList('prs'), ({ rows }) => new Set(idsIn(rows))),
      new Set<string>(),
    ),
  ),
  ([{ rows }, withPrs]) => {
    const findings = rows.flatMap((listed): readonly ListedFinding[] => {
      const id = stringField(listed.value, 'id');
      return id === null || !canStandInPath(id) ? [] : [{ id, listed }];
    });
    const preferred = [
      ...findings.filter(({ id }) => encodeUrlComponent(id) !== id).slice(0, 2),
      ...findings.filter(({ id }) => withPrs.has(id)).slice(0, 1),
      ...findings.filter(({ id }) => !withPrs.has(id)).slice(0, 1),
      ...findings.slice(0, 1),
      ...findings.slice(-1),
      ...findings.filter((_, index) => index % Math.ceil(findings.length / maxDetails) === 1),
      ...findings,
    ];
    return Array.from(new Map(preferred.map((each) => [each.id, each])).values()).slice(0, maxDetails);
  },
);

/** The sampled findings, each as listed and as getFinding returns it. */
export const sampledDetails: Need<SampledDetail> = derived(
  split(sampledFindings, (findings) => findings),
  ({ id, listed }) => mapped(response(findingRequest(id)), (exchange) => ({ listed, exchange })),
);

/** The bodies of their details, each judged on its own. Responses other than 200 are left out. */
export const detailValues: Need<Located<unknown>> = split(
  sampled(sampledFindings, (findings) => findings.map(({ id }) => findingRequest(id))),
  ({ request, response: { status }, body }) => (status === 200 ? [{ value: body, request, path: [] }] : []),
);
