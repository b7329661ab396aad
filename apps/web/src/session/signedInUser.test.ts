import { expect, test } from "vitest";
import { createStorage } from "../ui/fakeStorage";
import { clearUser, loadUser, saveUser } from "./signedInUser";

test("the user is known to all tabs until they sign out", () => {
  const storage = createStorage();
  expect(loadUser(storage)).toBeNull();
  saveUser(storage, "rosa");
  expect(loadUser(storage)).toBe("rosa");
  clearUser(storage);
  expect(loadUser(storage)).toBeNull();
});
