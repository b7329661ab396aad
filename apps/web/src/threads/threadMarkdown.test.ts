import { expect, test } from "vitest";
import type { SavedMessage } from "../api/types";
import { fileName, threadMarkdown } from "./threadMarkdown";

const message = (role: SavedMessage["role"], text: string) =>
  ({ role, text, ts: "2026-11-20T10:00:00Z" }) as SavedMessage;

test("an exported thread has the title and all messages in order", () => {
  const messages = [message("user", "Hello "), message("assistant", "- one\n- two")];
  const labels = { you: "You", assistant: "Keepsake" };
  expect(threadMarkdown("Greetings", messages, labels, () => "20 Nov 2026")).toBe(
    "# Greetings\n\n**You** · 20 Nov 2026\n\nHello\n\n**Keepsake** · 20 Nov 2026\n\n- one\n- two\n",
  );
});

test("the file is named after the title, without reserved characters", () => {
  expect(fileName('What is 1/2: a "half"?')).toBe("What is 1 2 a half.md");
  expect(fileName("../..")).toBe("thread.md");
  expect(fileName("")).toBe("thread.md");
});
