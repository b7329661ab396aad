import { expect, test } from "vitest";
import { dropToken, loadToken, localToken, saveToken } from "./localToken";

/** A tab's storage. */
function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

const NOW = 1_000_000;
const TOKEN = { access_token: "t", token_type: "Bearer", expires_in: 60 };

test("a reload finds the user signed in", () => {
  const tab = storage();
  saveToken(tab, localToken("rosa", TOKEN, NOW));
  expect(loadToken(tab, NOW + 59_000)).toMatchObject({ user: "rosa", token: "t" });
});

test("a token that is over, dropped or unreadable is none", () => {
  const tab = storage();
  saveToken(tab, localToken("rosa", TOKEN, NOW));
  expect(loadToken(tab, NOW + 60_000)).toBeNull();
  dropToken(tab);
  expect(loadToken(tab, NOW)).toBeNull();
  tab.setItem("keepsake.local-sign-in", "{");
  expect(loadToken(tab, NOW)).toBeNull();
});
