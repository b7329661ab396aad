import { Command } from "cmdk";
import { useCallback, useDeferredValue, useState } from "react";
import { useLocation } from "wouter";
import type { Api } from "../api/client";
import { MEMORY_PATH, SETTINGS_PATH, TEMPORARY_PATH, threadPath } from "../routes";
import { useStrings } from "../strings";
import { Dialog } from "../ui/Dialog";
import { BookmarkIcon, SearchIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { useQuery } from "../ui/useQuery";
import { isApple, keysOf, type ShortcutAction } from "./shortcuts";
import "./navigation.css";

const MAX_RESULTS = 6;

type Props = {
  api: Api;
  onAction: (action: ShortcutAction) => void;
  onClose: () => void;
};

/** Search over threads, memories and actions. */
export default function CommandPalette({ api, onAction, onClose }: Props) {
  const { navigation: strings, threads } = useStrings();
  const [query, setQuery] = useState("");
  const [, navigate] = useLocation();
  const { data, problem } = useResults(api, useDeferredValue(query.trim()));
  const open = (path: string) => {
    onClose();
    navigate(path);
  };
  return (
    <Dialog title={strings.palette} titleVisible={false} className="palette" onClose={onClose}>
      <Command shouldFilter={false} label={strings.palette} loop>
        <div className="palette-search">
          <SearchIcon />
          <Command.Input
            className="palette-input"
            placeholder={strings.placeholder}
            value={query}
            onValueChange={setQuery}
          />
        </div>
        {problem && <Notice problem={problem} />}
        <Command.List className="palette-list">
          <Command.Empty className="palette-empty">{strings.nothing}</Command.Empty>
          <Actions query={query} onOpen={open} onAction={onAction} onClose={onClose} />
          <Command.Group heading={strings.threads}>
            {data?.threads.map((thread) => (
              <Command.Item
                key={thread.thread_id}
                value={`thread ${thread.thread_id}`}
                className="palette-item"
                onSelect={() => open(threadPath(thread.thread_id))}
              >
                <span className="palette-text" dir="auto">
                  {thread.title.trim() || threads.newThread}
                </span>
                {thread.snippet && <span className="palette-hint">{thread.snippet}</span>}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading={strings.memories}>
            {data?.memories.map(({ id, text }) => (
              <Command.Item
                key={id}
                value={`memory ${id}`}
                className="palette-item"
                onSelect={() =>
                  open(`${MEMORY_PATH}?${new URLSearchParams({ q: text }).toString()}`)
                }
              >
                <BookmarkIcon />
                <span className="palette-text" dir="auto">
                  {text}
                </span>
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  );
}

/** The newest threads, or what matches the query. */
function useResults(api: Api, query: string) {
  const load = useCallback(
    async (signal: AbortSignal) => {
      const [threads, memories] = await Promise.all([
        query === "" ? api.threads.list(null, signal) : api.threads.search(query, null, signal),
        query === ""
          ? { items: [] }
          : api.memories.list({ kind: null, query }, null, signal, MAX_RESULTS),
      ]);
      return { threads: threads.items.slice(0, MAX_RESULTS), memories: memories.items };
    },
    [api, query],
  );
  return useQuery(load, query);
}

type ActionsProps = {
  query: string;
  onOpen: (path: string) => void;
  onAction: (action: ShortcutAction) => void;
  onClose: () => void;
};

function Actions({ query, onOpen, onAction, onClose }: ActionsProps) {
  const { navigation: strings } = useStrings();
  const apple = isApple(navigator.platform);
  const shortcut = (action: ShortcutAction) => ({
    label: strings.actions[action],
    keys: keysOf(action, apple),
    run: () => {
      onClose();
      onAction(action);
    },
  });
  const link = (label: string, path: string) => ({ label, keys: [], run: () => onOpen(path) });
  const actions = [
    shortcut("newThread"),
    link(strings.newTemporary, TEMPORARY_PATH),
    link(strings.openMemoryPage, MEMORY_PATH),
    shortcut("memory"),
    link(strings.openSettings, SETTINGS_PATH),
    shortcut("help"),
  ].filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()));
  if (actions.length === 0) return null;
  return (
    <Command.Group heading={strings.actionGroup}>
      {actions.map(({ label, keys, run }) => (
        <Command.Item key={label} value={`action ${label}`} className="palette-item" onSelect={run}>
          <span className="palette-text">{label}</span>
          <span className="palette-keys" aria-hidden="true">
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}
