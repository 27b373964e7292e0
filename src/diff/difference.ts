/** What kind of thing two answers differ in. `note`: what may be due to the data alone; it makes no difference. */
export type DifferenceKind = 'status' | 'header' | 'shape' | 'value' | 'note';

/** One thing that two servers do differently in answer to one request. */
export type Difference = Readonly<{
  kind: DifferenceKind;
  /** As both were asked. */
  request: string;
  /** The name of the header, or the path inside of the body; empty for the status. */
  where: string;
  left: string;
  right: string;
}>;
