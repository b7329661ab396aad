import { expect, test } from "vitest";
import { formatAddress, parseAddress } from "./pageAddress";

test("an address contains the view, the search and the filters", () => {
  const address = parseAddress(new URLSearchParams("view=map&q=tea&kind=user&category=personal"));
  expect(address).toEqual({ view: "map", query: "tea", kind: "user", category: "personal" });
  expect(formatAddress(address).toString()).toBe("view=map&q=tea&kind=user&category=personal");
});

test("defaults are not in the address, and unknown values are ignored", () => {
  const address = parseAddress(new URLSearchParams("view=x&kind=y&category=z"));
  expect(address).toEqual({ view: "memories", query: "", kind: null, category: null });
  expect(formatAddress(address).toString()).toBe("");
});
