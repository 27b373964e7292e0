/** A request that has been answered. Its target is as the client sent it, and may contain a secret. */
export type JournalNote = Readonly<{
  /** When it came, by the clock of the server. */
  at: number;
  requestId: string;
  method: string;
  target: string;
  operation: string;
  status: number;
  milliseconds: number;
  tenant: string | null;
  /** What was simulated; null: nothing. */
  simulated: string | null;
  /** What the response warned of; null: nothing. */
  warning: string | null;
}>;

/** A note with its number: the first request of the server has 1. */
export type NumberedNote = Readonly<{ number: number; note: JournalNote }>;

/** The latest requests. */
export type Journal = Readonly<{
  add: (note: JournalNote) => void;
  /** The notes that are kept, the oldest first. */
  notes: () => readonly NumberedNote[];
  clear: () => void;
}>;

/** How many requests a journal keeps if nothing else is said. */
export const defaultJournalSize = 1000;

/** A journal of the latest `size` requests. A note is kept as it is: it costs something when it is read. */
export const journal = (size: number): Journal => {
  let kept: JournalNote[] = [];
  let added = 0;
  return {
    add: (note) => {
      if (kept.length < size) kept.push(note);
      else kept[added % size] = note;
      added += 1;
    },
    notes: () => {
      const oldest = added - kept.length;
      const start = kept.length < size ? 0 : added % size;
      return [...kept.slice(start), ...kept.slice(0, start)].map((note, index) => ({
        number: oldest + index + 1,
        note,
      }));
    },
    clear: () => {
      kept = [];
      added = 0;
    },
  };
};
