/** The signed-in user and their credentials. */
export type Session = {
  /** Display name. */
  readonly user: string;
  readonly getToken: () => Promise<string>;
  readonly signOut: () => void;
  /** Called when the gateway rejects the token. */
  readonly onUnauthorized: () => void;
};
