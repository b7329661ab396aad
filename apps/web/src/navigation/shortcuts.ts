/** The page's keyboard shortcuts. On Apple keyboards, Command takes the place of Control. */

export const SHORTCUTS = [
  { action: "palette", key: "k", control: true },
  { action: "newThread", key: "o", control: true, shift: true },
  { action: "memory", key: ".", control: true },
  { action: "message", key: "/" },
  { action: "help", key: "?" },
] as const satisfies readonly Shortcut[];

type Shortcut = {
  readonly action: string;
  readonly key: string;
  readonly control?: boolean;
  readonly shift?: boolean;
};

export type ShortcutAction = (typeof SHORTCUTS)[number]["action"];

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * Find the action of a key press; null if it has none.
 *
 * @param typing whether the focus is in a text field, where keys without Control write text.
 */
export function findShortcut(press: KeyPress, typing: boolean): ShortcutAction | null {
  const shortcuts: readonly (Shortcut & { action: ShortcutAction })[] = SHORTCUTS;
  return shortcuts.find((shortcut) => matches(shortcut, press, typing))?.action ?? null;
}

function matches(shortcut: Shortcut, press: KeyPress, typing: boolean): boolean {
  const control = press.ctrlKey || press.metaKey;
  if (press.altKey || press.key.toLowerCase() !== shortcut.key) return false;
  if (shortcut.control !== true) return !control && !typing;
  return control && press.shiftKey === (shortcut.shift ?? false);
}

/** The keys of a shortcut as they are written on the keyboard. */
export function keysOf(action: ShortcutAction, apple: boolean): readonly string[] {
  const shortcut: Shortcut | undefined = SHORTCUTS.find((it) => it.action === action);
  if (shortcut === undefined) return [];
  return [
    ...(shortcut.control ? [apple ? "⌘" : "Ctrl"] : []),
    ...(shortcut.shift ? [apple ? "⇧" : "Shift"] : []),
    shortcut.key.toUpperCase(),
  ];
}

export function isApple(platform: string): boolean {
  return /Mac|iPhone|iPad/.test(platform);
}
