/** The types of the HTTP interface. They are generated from the gateway's OpenAPI document. */

import type { components } from "./schema";

type Schemas = components["schemas"];

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type UserId = Id<"user">;
export type ThreadId = Id<"thread">;
export type MessageId = Id<"message">;
export type MemoryId = Id<"memory">;

/** Narrow the ids of a generated type, which declares all ids as `string`. */
type WithIds<Type, Ids> = Omit<Type, keyof Ids> & Readonly<Ids>;

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
};

export type Config = Schemas["Config"];
export type OidcConfig = Schemas["OidcConfig"];
export type AccessToken = Schemas["AccessToken"];
export type Me = WithIds<Schemas["Me"], { user_id: UserId }>;
export type MeUpdate = Schemas["MeUpdate"];
export type Problem = Pick<Schemas["Problem"], "code" | "title" | "detail">;
export type SignIn = Schemas["SignIn"];

export type Thread = WithIds<Schemas["Thread"], { thread_id: ThreadId }>;
export type ListedThread = WithIds<Schemas["ListedThread"], { thread_id: ThreadId }>;
export type ThreadUpdate = Schemas["ThreadUpdate"];
export type ForgetResult = Schemas["ForgetResult"];

export type RecalledMemory = WithIds<
  Schemas["RecalledMemory"],
  { id: MemoryId; source_thread: ThreadId | "" }
>;
export type SavedMessage = WithIds<
  Schemas["Message"],
  { id: MessageId; memories?: readonly RecalledMemory[] }
>;
/** A place in a thread where branches of the conversation continue differently. */
export type Divergence = WithIds<Schemas["Divergence"], { threads: readonly ThreadId[] }>;
export type WebSource = Schemas["WebSource"];
/** What the user thinks of an answer. */
export type MessageFeedback = Schemas["MessageFeedback"];
export type NewMessage = WithIds<Schemas["NewMessage"], { id: MessageId }>;

export type Memory = WithIds<
  Schemas["Memory"],
  { id: MemoryId; source_thread: ThreadId | ""; source_message: MessageId | null }
>;
export type MemoryKind = Memory["kind"];
export type MemoryVersion = WithIds<
  Schemas["MemoryVersion"],
  Pick<Memory, "id" | "source_thread" | "source_message"> & { by: MemoryId | null }
>;
export type ChangedMemory = WithIds<Schemas["ChangedMemory"], { id: MemoryId }>;
/** `thread` and `message` are those of the memory's newest source; empty if the user entered it. */
export type MemoryChange = WithIds<
  Schemas["MemoryChange"],
  {
    memory: ChangedMemory | null;
    replaced: ChangedMemory | null;
    thread: ThreadId | "";
    message: MessageId | "";
  }
>;
export type MemoryChangeType =
  "added" | "replaced" | "confirmed" | "retired" | "restored" | "forgotten";
export type MemoryMap = Schemas["MemoryMap"];
export type MapPoint = WithIds<Schemas["MapPoint"], { id: MemoryId }>;
export type NewMemory = Schemas["NewMemory"];
export type MemoryUpdate = Schemas["MemoryUpdate"];
export type Profile = Schemas["Profile"];
export type FormationStatus = Schemas["FormationStatus"];
export type FactLimit = Omit<Schemas["FactLimit"], "evicted"> & {
  readonly evicted: readonly MemoryVersion[];
};
export type FlushResult = Schemas["FlushResult"];
export type Receipt = Schemas["Receipt"];
export type MemoryFeedback = Schemas["NewFeedback"];
export type PendingMessage = WithIds<
  Schemas["PendingMessage"],
  { message: MessageId; thread: ThreadId }
>;
export type ImportResult = Schemas["ImportResult"];
export type Key = Schemas["Key"];
export type SecretKey = Schemas["SecretKey"];

type ReplyEvent = Schemas["ReplyEvent"];
type ReplyData<Name> = Extract<ReplyEvent, { event: Name }>["data"];
type NarrowedData = {
  "memory.recalled": WithIds<
    ReplyData<"memory.recalled">,
    { memories: readonly RecalledMemory[]; omitted: readonly RecalledMemory[] }
  >;
  "run.failed": { readonly problem: Problem };
};

/** An event of a run. The last one is `run.finished` or `run.failed`. */
export type RunEvent = {
  [Name in ReplyEvent["event"]]: {
    /** Resumes the stream after this event. */
    readonly id?: string;
    readonly event: Name;
    readonly data: Name extends keyof NarrowedData ? NarrowedData[Name] : ReplyData<Name>;
  };
}[ReplyEvent["event"]];
export type ToolCall = Schemas["ToolStarted"];
export type ToolResult = Pick<Schemas["ToolFinished"], "id" | "output" | "status">;

export const newThreadId = () => crypto.randomUUID() as string as ThreadId;
export const newMessageId = () => crypto.randomUUID() as string as MessageId;
