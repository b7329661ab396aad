import { expect, test } from "vitest";
import { createStorage } from "../ui/fakeStorage";
import { clearSecret, loadSecret } from "./signInSecret";

test("the secret of a link is kept for visits without the link", () => {
  const storage = createStorage();
  expect(loadSecret(storage, "#secret=a-B_3")).toBe("a-B_3");
  expect(loadSecret(storage, "#/t/1")).toBe("a-B_3");
});

test("there is no secret without a link, or after it was cleared", () => {
  const storage = createStorage();
  expect(loadSecret(storage, "#secret=<b>")).toBe("");
  loadSecret(storage, "#secret=a");
  clearSecret(storage);
  expect(loadSecret(storage, "")).toBe("");
});
