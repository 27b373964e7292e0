import * as t from 'io-ts';
import { Line, usable, usableItems } from './usable.js';

/** What scanners write into the property bags of rules and results. */
const Properties = usable(
  t.type({
    'security-severity': usable(t.union([Line, t.number])),
    cvssv3_baseScore: usable(t.number),
    tags: usableItems(Line),
    package: usable(Line),
    packageName: usable(Line),
    purl: usable(Line),
    purls: usableItems(Line),
  }),
);

const Message = usable(t.type({ text: usable(t.string), markdown: usable(t.string) }));

/** A rule of a run: one for each advisory, or one for each advisory and package. */
export const SarifRule = t.type({
  id: Line,
  shortDescription: Message,
  fullDescription: Message,
  help: Message,
  deprecatedIds: usableItems(Line),
  defaultConfiguration: usable(t.type({ level: usable(Line) })),
  properties: Properties,
});
export type SarifRule = t.TypeOf<typeof SarifRule>;

const Location = t.type({
  physicalLocation: usable(t.type({ artifactLocation: usable(t.type({ uri: usable(Line) })) })),
  logicalLocations: usableItems(t.type({ fullyQualifiedName: usable(Line) })),
});

/** A result of a run. */
export const SarifResult = t.type(
  {
    ruleId: usable(Line),
    rule: usable(t.type({ id: usable(Line) })),
    level: usable(Line),
    kind: usable(Line),
    message: Message,
    locations: usableItems(Location),
    suppressions: usableItems(t.unknown),
    fixes: usableItems(t.type({ description: Message })),
    baselineState: usable(Line),
    properties: Properties,
  },
  'result',
);
export type SarifResult = t.TypeOf<typeof SarifResult>;
