/** Request and response types of the gateway's HTTP interface. */

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type ThreadId = Id<"thread">;
export type MessageId = Id<"message">;
export type MemoryId = Id<"memory">;

export type Config = {
  readonly name: string;
  readonly sign_in: "local" | "oidc";
  readonly oidc: OidcClient | null;
  /** The first one is the default. */
  readonly models: readonly string[];
  /** True if no language model is configured. */
  readonly offline: boolean;
  readonly version: string;
  /** `why` is the reason if web search is not available. */
  readonly web_search: { readonly available: boolean; readonly why: string | null };
};

export type OidcClient = {
  readonly issuer: string;
  readonly client_id: string;
  /** Most providers need `scope` or `resource` to issue access tokens for the gateway. */
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
  /** ISO 8601, like all timestamps. */
  readonly created_at: string;
  readonly updated_at: string;
  /** Not listed, not remembered, and deleted one hour after the last message. */
  readonly temporary: boolean;
  /** Search results only: the matching text of a message or of the title. */
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
  /** The recalled memories; absent on user messages. */
  readonly memories?: readonly RecalledMemory[] | null;
  /** Absent on complete answers. */
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
  /** The user's words from the newest source; null if the user added the memory directly. */
  readonly quote: string | null;
  readonly source_thread: ThreadId | null;
  readonly ts: string;
};

/** A former version of a memory and how it was retired. */
export type MemoryVersion = Memory & {
  readonly version: string;
  readonly retired_at: string;
  readonly who: "user" | "formation" | "upkeep";
  readonly why: "replaced" | "edited" | "undone" | "crowded_out" | "folded";
  /** The id of the replacement; an edited memory keeps its id. */
  readonly by: MemoryId | null;
};

/** A summary of the user; unknown fields are empty. */
export type Profile = {
  readonly work_context: string;
  readonly personal_context: string;
  readonly top_of_mind: string;
  readonly recent_months: string;
  readonly earlier_context: string;
  readonly long_term_background: string;
  readonly last_updated: string;
};

/** The state of the user's inbox. */
export type Formation = {
  /** Number of unprocessed messages, without those in `set_aside`. */
  readonly pending: number;
  /** Number of failed attempts since the last success. */
  readonly attempts: number;
  readonly last_error: string | null;
  readonly set_aside: readonly {
    readonly messages: readonly MessageId[];
    readonly error: string;
  }[];
};

export type Me = {
  /** False while the user has paused memory. */
  readonly memory_enabled: boolean;
};

export type FlushResult = {
  readonly added: number;
  readonly replaced: number;
  readonly confirmed: number;
  readonly rejected: number;
  readonly episodes: number;
};

export const newThreadId = () => crypto.randomUUID() as string as ThreadId;
export const newMessageId = () => crypto.randomUUID() as string as MessageId;
