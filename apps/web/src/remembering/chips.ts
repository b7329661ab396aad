import type { ChangedMemory, MemoryChange, MemoryId, MessageId } from "../api/types";

/** What a message of the user has changed in memory. */
export type Chip = {
  readonly memory: MemoryId;
  readonly message: MessageId;
  readonly type: "remembered" | "changed" | "forgotten";
  readonly text: string;
  /** The earlier text, if it changed. */
  readonly from: string | null;
  /** False if a newer message has replaced the memory, or it was deleted permanently. */
  readonly undoable: boolean;
};

export type Chips = ReadonlyMap<MessageId, readonly Chip[]>;

/**
 * The chips of each message.
 *
 * Episodes have none: every exchange has one. What was undone has none either.
 *
 * @param changes oldest first.
 */
export function chipsOf(changes: readonly MemoryChange[]): Chips {
  const chips = new Map<MemoryId, Chip>();
  for (const change of changes) applyChange(chips, change);
  const byMessage = new Map<MessageId, Chip[]>();
  for (const chip of chips.values()) {
    byMessage.set(chip.message, [...(byMessage.get(chip.message) ?? []), chip]);
  }
  return byMessage;
}

/** Merge changes by their ids, oldest first. */
export function mergeChanges(
  first: readonly MemoryChange[],
  second: readonly MemoryChange[],
): readonly MemoryChange[] {
  const byId = new Map([...first, ...second].map((change) => [change.id, change]));
  return [...byId.values()].sort((a, b) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
}

function applyChange(chips: Map<MemoryId, Chip>, change: MemoryChange): void {
  const { memory, replaced } = change;
  if (memory === null) chips.clear();
  else if (memory.kind !== "episodic" && replaced?.kind !== "episodic") {
    applyMemoryChange(chips, change, memory);
  }
}

function applyMemoryChange(
  chips: Map<MemoryId, Chip>,
  change: MemoryChange,
  memory: ChangedMemory,
): void {
  const { replaced, message } = change;
  switch (change.type) {
    case "memory.added":
    case "memory.replaced":
      if (replaced !== null && replaced.id !== memory.id) closeChip(chips, replaced.id);
      if (message !== "") chips.set(memory.id, newChip(memory, message, replaced));
      return;
    case "memory.restored":
      if (replaced !== null) chips.delete(replaced.id);
      if (message !== "") chips.set(memory.id, newChip(memory, message, null));
      return;
    case "memory.retired":
    case "memory.forgotten":
      return removeMemory(chips, change, memory);
    case "memory.confirmed":
      return;
  }
}

function newChip(memory: ChangedMemory, message: MessageId, from: ChangedMemory | null): Chip {
  return {
    memory: memory.id,
    message,
    type: from === null ? "remembered" : "changed",
    text: memory.text ?? "",
    from: from?.text ?? null,
    undoable: true,
  };
}

/** A memory that a newer message has replaced can no longer be undone here. */
function closeChip(chips: Map<MemoryId, Chip>, id: MemoryId): void {
  const chip = chips.get(id);
  if (chip !== undefined) chips.set(id, { ...chip, undoable: false });
}

function removeMemory(
  chips: Map<MemoryId, Chip>,
  { type, why, message }: MemoryChange,
  memory: ChangedMemory,
): void {
  const known = chips.get(memory.id);
  if (why === "replaced") return closeChip(chips, memory.id);
  const text = memory.text ?? "";
  const source = known?.message ?? message;
  if (why === "undone" || text === "" || source === "") {
    chips.delete(memory.id);
    return;
  }
  const undoable = type === "memory.retired" || memory.text !== null;
  chips.set(memory.id, {
    memory: memory.id,
    message: source,
    type: "forgotten",
    text,
    from: null,
    undoable,
  });
}
