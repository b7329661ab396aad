import { expect, test } from "vitest";
import { hostOf } from "./sources";

test.each([
  ["https://www.yr.no/en/statistics?a=b", "yr.no"],
  ["https://docs.python.org:443/3/", "docs.python.org"],
  ["no address", "no address"],
])("the host of %s is %s", (url, host) => {
  expect(hostOf(url)).toBe(host);
});
