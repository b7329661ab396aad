import type { Strings } from "../strings";
import { stepLabel } from "./steps";

/** What is announced to screen readers: a short status during a run, the complete answer after it. */
export type Announcement =
  | { readonly type: "none" | "answering" | "stopped" }
  | { readonly type: "tool"; readonly name: string }
  | { readonly type: "answer"; readonly text: string };

export function announcementText(strings: Strings, announcement: Announcement): string {
  switch (announcement.type) {
    case "none":
      return "";
    case "tool":
      return stepLabel(strings.steps, { name: announcement.name, state: "running" });
    case "answer":
      return announcement.text;
    case "answering":
    case "stopped":
      return strings.chat.announcements[announcement.type];
  }
}
