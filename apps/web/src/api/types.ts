/** The nouns of the gateway's interface, as they travel. */

declare const noun: unique symbol;
type Id<Noun extends string> = string & { readonly [noun]: Noun };

export type ThreadId = Id<"thread">;
export type MessageId = Id<"message">;
export type MemoryId = Id<"memory">;

export type Config = {
  readonly name: string;
  readonly sign_in: "local" | "oidc";
  readonly oidc: OidcClient | null;
  /** The first one is the default. */
  readonly models: readonly string[];
  /** True when no language model answers, only the offline one. */
  readonly offline: boolean;
  readonly version: string;
  /** `why` says what is missing where it is not available. */
  readonly web_search: { readonly available: boolean; readonly why: string | null };
};

export type OidcClient = {
  readonly issuer: string;
  readonly client_id: string;
  /** What to ask for besides who the user is; most providers need one of these to issue tokens for the gateway. */
  readonly scope?: string | null;
  readonly resource?: string | null;
};

export type Token = {
  readonly access_token: string;
  readonly token_type: string;
  /** Seconds from now. */
  readonly expires_in: number;
};

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
};

export type Thread = {
  readonly thread_id: ThreadId;
  readonly title: string | null;
  /** ISO 8601, like every time here. */
  readonly created_at: string;
  readonly updated_at: string;
  /** It teaches nothing, is in no list, and is gone an hour after its last message. */
  readonly temporary: boolean;
  /** Of one that was searched for: where its messages, or its title, hold the words. */
  readonly snippet?: string;
};

export type RecalledMemory = {
  readonly id: MemoryId;
  readonly kind: string;
  readonly text: string;
  readonly score: number | null;
  readonly source_thread: ThreadId | null;
  readonly ts: string;
};

export type SavedMessage = {
  readonly id: MessageId;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly ts: string;
  /** What the assistant's answer was given; absent on the user's messages. */
  readonly memories?: readonly RecalledMemory[] | null;
  /** How an answer broke off; absent on whole ones. */
  readonly status?: "cancelled" | "failed";
};

export type MemoryKind = "user" | "episodic" | "procedural";

export type Memory = {
  readonly id: MemoryId;
  readonly kind: MemoryKind;
  readonly text: string;
  readonly category: string | null;
  /** 0 to 1. */
  readonly confidence: number | null;
  /** The user's own words, from the newest source; absent when added by hand. */
  readonly quote: string | null;
  readonly source_thread: ThreadId | null;
  readonly ts: string;
};

/** A memory as it was, and how it ceased to be so. */
export type MemoryVersion = Memory & {
  readonly version: string;
  readonly retired_at: string;
  readonly who: "user" | "formation" | "upkeep";
  readonly why: "replaced" | "edited" | "undone" | "crowded_out" | "folded";
  /** The memory that stands in its place; an edited one's own id. */
  readonly by: MemoryId | null;
};

/** Who the user is; a field that nothing is known for is empty. */
export type Profile = {
  readonly work_context: string;
  readonly personal_context: string;
  readonly top_of_mind: string;
  readonly recent_months: string;
  readonly earlier_context: string;
  readonly long_term_background: string;
  readonly last_updated: string;
};

/** What is not yet distilled, and why. */
export type Formation = {
  /** Messages, without those set aside. */
  readonly pending: number;
  /** How often what is tried again has failed. */
  readonly attempts: number;
  readonly last_error: string | null;
  readonly set_aside: readonly {
    readonly messages: readonly MessageId[];
    readonly error: string;
  }[];
};

export type Me = {
  /** False while the user has paused memory: nothing is read, and nothing is kept. */
  readonly memory_enabled: boolean;
};

export type Distilled = {
  readonly added: number;
  readonly replaced: number;
  readonly confirmed: number;
  readonly rejected: number;
  readonly episodes: number;
};

export const newThreadId = () => crypto.randomUUID() as string as ThreadId;
export const newMessageId = () => crypto.randomUUID() as string as MessageId;
