import { expect, test } from "vitest";
import { en } from "../strings/en";
import { createFormat } from "../strings/format";
import { de } from "../strings/de";
import { deletionNotice, flushNotice } from "./notices";

const NOTHING = { added: 0, replaced: 0, confirmed: 0, rejected: 0, episodes: 0, reasons: {} };

test("the notice after saving counts what was saved", () => {
  const notice = (counts: Partial<typeof NOTHING>) =>
    flushNotice(en, createFormat("en"), { ...NOTHING, ...counts });
  expect(notice({ added: 2, episodes: 1 })).toBe("Saved: 2 added, 1 conversation.");
  expect(notice({})).toBe("Nothing new to save.");
});

test("the notice is in the language of the page", () => {
  const counts = { ...NOTHING, added: 1, episodes: 2 };
  expect(flushNotice(de, createFormat("de"), counts)).toBe(
    "Gespeichert: 1 hinzugefügt, 2 Gespräche.",
  );
});

test("the notice after deleting everything counts memories only", () => {
  const deleted = { user: 2, episodic: 1, retired: 9, inbox: 4, profile: 1 };
  expect(deletionNotice(en, deleted)).toBe("All memories deleted (3).");
});
