/** How much more processor time per request, against bare Koa, is reported. */
export const tolerated = 1.1;

/** A measure whose processor time has risen: as a multiple of that of bare Koa, before and now. */
export type Rise = Readonly<{ measure: string; before: number; now: number }>;

type Watched = Readonly<Record<string, number>>;

/** The measures whose processor time, against bare Koa, is more than 10 % above what was recorded. */
export const risesSince = (before: Watched, now: Watched): readonly Rise[] =>
  Object.entries(now).flatMap(([measure, value]) => {
    const recorded = before[measure];
    return recorded !== undefined && value > recorded * tolerated
      ? [{ measure, before: recorded, now: value }]
      : [];
  });

const rule = '!'.repeat(100);

/** Lines that nobody overlooks; none if there is no rise. */
export const riseWarning = (rises: readonly Rise[]): readonly string[] =>
  rises.length === 0
    ? []
    : [
        rule,
        '!! SLOWER THAN RECORDED: processor time per request against bare Koa has risen by more than 10 %',
        ...rises.map(({ measure, before, now }) => {
          const percent = Math.round((now / before - 1) * 100);
          return `!! ${measure}: × ${before.toFixed(2)} when recorded, × ${now.toFixed(2)} now (+${percent} %)`;
        }),
        rule,
      ];
