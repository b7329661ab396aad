/** Somebody who is signed in. */
export type Session = {
  /** What to call them. */
  readonly user: string;
  readonly token: () => Promise<string>;
  readonly signOut: () => void;
  /** Tells that the gateway no longer takes the token. */
  readonly refused: () => void;
};

export const SIGNED_OUT_BY_GATEWAY = "Your sign-in has expired. Please sign in again.";
