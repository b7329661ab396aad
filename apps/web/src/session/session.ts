/** The signed-in user. A cookie, which scripts cannot read, identifies them to the gateway. */
export type Session = {
  /** Display name. */
  readonly user: string;
  readonly signOut: () => void;
  /** Called when the gateway rejects the cookie. */
  readonly onUnauthorized: () => void;
};
