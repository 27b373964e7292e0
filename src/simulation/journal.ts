import type { JournalNote } from './journal-note.js';
import { JournalSlot } from './journal-slot.js';

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

/** A journal of the latest `size` requests; 0 keeps none. */
export const journal = (size: number): Journal => {
  let slots: JournalSlot[] = [];
  let added = 0;
  /** Slots are made when they are first needed, and then used again. */
  const nextSlot = (): JournalSlot => {
    const index = added % size;
    const slot = slots[index] ?? new JournalSlot();
    slots[index] = slot;
    return slot;
  };
  return {
    add: (note) => {
      if (size > 0) nextSlot().put(note);
      added += 1;
    },
    notes: () => {
      const oldest = added - slots.length;
      const start = slots.length < size ? 0 : added % size;
      return [...slots.slice(start), ...slots.slice(0, start)].map((slot, index) => ({
        number: oldest + index + 1,
        note: slot.note(),
      }));
    },
    clear: () => {
      slots = [];
      added = 0;
    },
  };
};
