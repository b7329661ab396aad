import { expect, test } from "vitest";
import { createStorage } from "../ui/fakeStorage";
import { clearToken, loadToken, saveToken, toLocalToken } from "./localToken";

const NOW = 1_000_000;
const TOKEN = { access_token: "t", token_type: "Bearer", expires_in: 60 } as const;

test("a saved token survives a reload", () => {
  const storage = createStorage();
  saveToken(storage, toLocalToken("rosa", TOKEN, NOW));
  expect(loadToken(storage, NOW + 59_000)).toMatchObject({ user: "rosa", token: "t" });
});

test("an expired, cleared or invalid token is not loaded", () => {
  const storage = createStorage();
  saveToken(storage, toLocalToken("rosa", TOKEN, NOW));
  expect(loadToken(storage, NOW + 60_000)).toBeNull();
  clearToken(storage);
  expect(loadToken(storage, NOW)).toBeNull();
  storage.setItem("keepsake.local-sign-in", "{");
  expect(loadToken(storage, NOW)).toBeNull();
});
