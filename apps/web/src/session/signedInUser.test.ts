import { expect, test } from "vitest";
import type { UserId } from "../api/types";
import { createStorage } from "../ui/fakeStorage";
import { clearUser, loadUser, saveUser, SIGNED_IN_KEY } from "./signedInUser";

test("the user is known to all tabs until they sign out", () => {
  const storage = createStorage();
  const user = { id: "u1" as UserId, name: "rosa" };
  expect(loadUser(storage)).toBeNull();
  saveUser(storage, user);
  expect(loadUser(storage)).toEqual(user);
  clearUser(storage);
  expect(loadUser(storage)).toBeNull();
});

test.each(["rosa", "null", '"rosa"', '{"name": "rosa"}'])("the value %j is no user", (value) => {
  const storage = createStorage();
  storage.setItem(SIGNED_IN_KEY, value);
  expect(loadUser(storage)).toBeNull();
});
