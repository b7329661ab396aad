import { expect, test } from "vitest";
import { isReturning, tokenAudience } from "./oidc";

test("the page requests tokens for the audience of the API", () => {
  expect(tokenAudience("page", "https://api.example")).toEqual({
    resource: "https://api.example",
    extraQueryParams: { audience: "https://api.example" },
    extraTokenParams: { resource: "https://api.example" },
  });
});

test("an audience that is not an address is no resource", () => {
  for (const audience of ["keepsake", "api://4f1e", "https://api.example#part"])
    expect(tokenAudience("page", audience)).toEqual({ extraQueryParams: { audience } });
});

test("a page with the client id of the API requests no other audience", () => {
  expect(tokenAudience("keepsake", "keepsake")).toEqual({});
});

test.each([
  ["?code=x&state=y", true],
  ["?error=access_denied&state=y", true],
  ["?q=code", false],
  ["", false],
])("the provider has redirected back to %s: %s", (search, returning) => {
  expect(isReturning({ search })).toBe(returning);
});
