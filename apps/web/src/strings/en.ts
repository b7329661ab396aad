/** All texts of the page in English. Other languages have the same keys (see `Strings`). */

import { createPlural } from "./plural";

const plural = createPlural("en");

export const en = {
  app: {
    name: "Keepsake",
    lead: "A chat assistant that remembers you.",
    skipToMain: "Skip to the main content",
    loading: "Loading…",
  },
  actions: {
    add: "Add",
    cancel: "Cancel",
    close: "Close",
    copied: "Copied",
    copy: "Copy",
    delete: "Delete",
    dismiss: "Dismiss",
    save: "Save",
    tryAgain: "Try again",
    undo: "Undo",
  },
  toast: {
    label: "Message",
    /** `{hotkey}` is replaced by the key that moves the focus there. */
    viewport: "Messages ({hotkey})",
    undoHint: "Undo the last action",
  },
  session: {
    expired: "Your session has expired. Please sign in again.",
    signIn: "Sign in",
    signingIn: "Signing in…",
    signOut: "Sign out",
    name: "Your name",
    openLink: "Open the sign-in link that Keepsake printed when it started.",
    localOnly:
      "For local use only: there is no password, so anyone with access to this page can sign in under this name.",
  },
  workspace: {
    threads: "Threads",
    closeThreads: "Close threads",
    memory: "Memory",
    openMemory: "Open memory",
    temporaryChat: "Temporary chat",
  },
  threads: {
    newThread: "New thread",
    temporary: "Temporary",
    chat: "chat",
    temporaryHint: "A chat that is not remembered",
    search: "Search threads",
    showOlder: "Show older threads",
    noMatch: "No matching threads.",
    empty: "Your threads will appear here.",
    title: "Thread title",
    rename: (title: string) => `Rename “${title}”`,
    delete: (title: string) => `Delete “${title}”`,
    deleteQuestion: "Delete this thread?",
    deleteText: (title: string) => `“${title}” and all its messages will be deleted permanently.`,
    deleteMemories: "Also delete what Keepsake learned about me here",
    deleted: (memories: number) =>
      memories === 0
        ? "Thread deleted."
        : `Thread deleted, with ${plural(memories, { one: "1 memory", other: `${memories} memories` })}.`,
    groups: {
      today: "Today",
      yesterday: "Yesterday",
      week: "Last 7 days",
      older: "Older",
    },
  },
  memories: {
    title: "Memory",
    list: "Memories",
    close: "Close memory",
    search: "Search memories",
    kind: "Kind of memory",
    kinds: {
      user: "Fact",
      procedural: "Instruction",
      episodic: "Conversation",
      inbox: "Recent message",
      profile: "About you",
    },
    filters: {
      all: "All",
      user: "Facts",
      procedural: "Instructions",
      episodic: "Conversations",
    },
    always: "Always included",
    alwaysInclude: "Always include",
    openSource: "Open the source thread",
    pin: (text: string) => `Pin “${text}”`,
    unpin: (text: string) => `Unpin “${text}”`,
    history: (text: string) => `History of “${text}”`,
    edit: (text: string) => `Edit “${text}”`,
    delete: (text: string) => `Delete “${text}”`,
    text: "Memory text",
    deletePermanently: "Delete permanently?",
    showMore: "Show more",
    noMatch: "No matching memories.",
    empty:
      "No memories yet. Keepsake saves what you say about yourself shortly after you send it, or when you select “Save now”.",
    addMemory: "Add a memory",
    newMemory: "New memory",
    examples: {
      user: "I am allergic to peanuts.",
      procedural: "Answer in short bullets.",
    },
    deleteAll: "Delete all memories",
    deleteAllQuestion: "Delete all memories?",
    deleteAllText:
      "Everything that Keepsake knows about you will be deleted permanently, including the history and messages that are still being remembered. Your threads are kept.",
    deleteAllConfirm: "Delete all",
    enabled: "Memory is on",
    paused: "Memory is paused: nothing is used or saved",
    added: "Memory added.",
    updated: "Memory updated.",
    deleted: "Memory deleted.",
    undone: "Change undone.",
    allDeleted: (count: number) => `All memories deleted (${count}).`,
  },
  saving: {
    saveNow: "Save now",
    saving: "Saving…",
    hint: "Save recent messages to memory now",
    saved: "Everything is saved.",
    pending: (count: number) =>
      plural(count, {
        one: "1 message being remembered.",
        other: `${count} messages being remembered.`,
      }),
    lastAttempt: (reason: string) => `The last attempt failed${reason}.`,
    failed: (count: number, reason: string) =>
      `${plural(count, { one: "1 message", other: `${count} messages` })} could not be saved to memory${reason}.`,
    nothing: "Nothing new to save.",
    result: (parts: string) => `Saved: ${parts}.`,
    added: (count: number) => `${count} added`,
    replaced: (count: number) => `${count} updated`,
    confirmed: (count: number) => `${count} confirmed`,
    rejected: (count: number) => `${count} not kept`,
    episodes: (count: number) =>
      plural(count, { one: "1 conversation", other: `${count} conversations` }),
  },
  history: {
    title: "History",
    none: "No earlier versions.",
    undoHint: "Undo the last change",
    reasons: {
      replaced: "replaced by a later message",
      replacedByUser: "replaced by you",
      edited: "edited by you",
      undone: "undone by you",
      crowded_out: "moved to history at the limit of facts",
      folded: "merged into what is known about you",
      forgotten: "forgotten by you",
    },
  },
  limit: {
    title: "Limit",
    within: (facts: number, max: number) => `${facts} of at most ${max} facts.`,
    above: (facts: number, max: number) =>
      `${facts} facts, and the limit is ${max}. When the next message is saved, the least certain facts above the limit move to history. Pinned facts and those that are always included stay.`,
    moved: (count: number, max: number) =>
      `${plural(count, { one: "1 fact", other: `${count} facts` })} moved to history at the limit of ${max}`,
    restore: "Restore",
    restoreText: (text: string) => `Restore “${text}”`,
  },
  profile: {
    title: "About you",
    personal_context: "Personal",
    work_context: "Work",
    top_of_mind: "Current topics",
    recent_months: "Recent months",
    earlier_context: "Earlier",
    long_term_background: "Background",
  },
  chat: {
    you: "You",
    message: "Message",
    messages: "Messages",
    placeholder: "Message Keepsake",
    model: "Model",
    send: "Send",
    stop: "Stop",
    stopping: "Stopping",
    scrollDown: "Scroll to the latest message",
    loading: "Loading messages…",
    showEarlier: "Show earlier messages",
    offline:
      "Offline mode: answers come from your memories and this thread. No language model is used.",
    copyAnswer: "Copy answer",
    table: "Table",
    stopped: "You stopped this answer.",
    cutOff: {
      length: "This answer reached its maximum length and is cut off.",
      content_filter: "The model's content filter stopped this answer.",
      failed: "This answer is cut off.",
    },
    announcements: {
      answering: "Keepsake is answering.",
      stopped: "Stopped.",
    },
    temporary: {
      title: "Temporary chat",
      text: "No memories are used or saved here. The chat is not listed and is deleted one hour after its last message.",
      deleteNow: "Delete now",
      welcome: "This chat will not be remembered",
      welcomeText: "Keepsake knows nothing about you here and learns nothing from this chat.",
    },
    welcome: {
      title: "What would you like to talk about?",
      text: "Keepsake remembers what you say about yourself and uses it in all your threads. Open Memory to see, edit or delete it.",
      examples: "Examples",
      about:
        "For future chats: I live in London, my nickname is RS, and I like concise bullet answers.",
      question: "Where do I live and what’s my nickname?",
      remembered: "What do you remember about me?",
    },
    webSearch: {
      label: "Web search",
      turnOn: "Turn on web search",
      turnOff: "Turn off web search",
      unavailable: (why: string | null) =>
        `Web search is not available${why === null ? "." : `: ${why}.`}`,
    },
  },
  outgoing: {
    waiting: "Waiting for the network. It will be sent as soon as you are back online.",
    queued: "Will be sent next.",
    edit: "Edit",
    length: (count: string, limit: string) => `${count} of ${limit} characters`,
    tooLong: (count: string, limit: string) => `Too long to send: ${count} of ${limit} characters`,
  },
  answer: {
    copyCode: "Copy code",
    formula: "Formula",
    taskDone: "Done",
    taskOpen: "Not done",
    fromMemory: (text: string) => `From memory: ${text}`,
  },
  recall: {
    degraded: "Memory was not fully available for this answer.",
    used: (count: number) =>
      plural(count, { one: "1 memory used", other: `${count} memories used` }),
    standing: (count: number) => `${count} always included`,
    omitted: (count: number) => `${count} more did not fit`,
  },
  steps: {
    title: "Steps of this answer",
    restored: "Restored",
    notRestored: "Could not be restored",
    used: (tool: string) => `Used ${tool}`,
    failed: (tool: string) => `${tool} failed`,
    tools: {
      web_search: {
        running: "Searching the web…",
        done: "Searched the web",
        failed: "Web search failed",
      },
      find_memories: {
        running: "Searching memory…",
        done: "Searched memory",
        failed: "Memory search failed",
      },
      remember: { running: "Remembering…", done: "Remembered", failed: "Not remembered" },
      forget: { running: "Forgetting…", done: "Forgot", failed: "Nothing was forgotten" },
    },
  },
  /** Problems that the page itself detects. */
  problems: {
    unreachable: {
      title: "Cannot connect to Keepsake.",
      detail: "Check your connection, then try again.",
    },
    stream_broken: {
      title: "The answer was interrupted.",
      detail: "Your message is saved. Trying again does not send it twice.",
    },
    unknown: { title: "Something went wrong.", detail: "" },
    sign_in_failed: {
      title: "Sign-in failed.",
      detail: "The identity provider did not respond or refused the sign-in.",
    },
  },
  /** Titles of the gateway's problems by code; without an entry, the gateway's English title is shown. */
  gatewayProblems: {} as Readonly<Record<string, string>>,
} as const;
