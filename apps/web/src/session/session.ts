import type { SignedInUser } from "./signedInUser";

/** The session of the signed-in user. A cookie, which scripts cannot read, identifies them to the gateway. */
export type Session = SignedInUser & {
  readonly signOut: () => void;
  /** Called when the gateway rejects the cookie. */
  readonly onUnauthorized: () => void;
};
