import { expect, test } from "vitest";
import { loadTheme, saveTheme } from "./theme";
import { createStorage } from "./fakeStorage";

test("the theme is that of the system until the user chooses another one", () => {
  const storage = createStorage();
  expect(loadTheme(storage)).toBe("system");
  saveTheme(storage, "dark");
  expect(loadTheme(storage)).toBe("dark");
  storage.setItem("keepsake.theme", "pink");
  expect(loadTheme(storage)).toBe("system");
});
