import { lazy, Suspense, useMemo, useState } from "react";
import { Route, Switch } from "wouter";
import { createApi, type RunOptions } from "../api/client";
import type { Config, ThreadId } from "../api/types";
import { createDrafts, removeUnsent } from "../drafts/drafts";
import { MEMORY_PATH, SETTINGS_PATH } from "../routes";
import { useMemoryChanges } from "../remembering/useMemoryChanges";
import type { Session } from "../session/session";
import { useThreads } from "../threads/useThreads";
import { ChatView } from "./ChatView";
import { MemorySidebar } from "./MemorySidebar";
import { Navigation } from "./Navigation";
import { SkipLink } from "./SkipLink";
import { ThreadsSidebar } from "./ThreadsSidebar";
import { useActiveThread } from "./useActiveThread";
import { useFocusGuard } from "./useFocusGuard";
import { useLayout } from "./useLayout";
import { useMemoryVersion } from "./useMemoryVersion";
import { useTimeZone } from "./useTimeZone";
import "./workspace.css";

const MemoryView = lazy(() => import("./MemoryView"));
const SettingsView = lazy(() => import("./SettingsView"));

type Props = { config: Config; session: Session };

/** The page of a signed-in user: thread list, the view of the current address, and memory panel. */
export default function Workspace({ config, session }: Props) {
  const api = useMemo(() => createApi({ ...session, fetch: window.fetch.bind(window) }), [session]);
  const drafts = useMemo(() => createDrafts(localStorage, session.id), [session.id]);
  const signOut = () => {
    removeUnsent(localStorage, session.id);
    session.signOut();
  };
  const layout = useLayout();
  const [options, setOptions] = useState<RunOptions>({
    model: config.models[0],
    web_search: false,
  });
  useFocusGuard();
  useTimeZone(api);
  const list = useThreads(api);
  const memory = useMemoryVersion();
  const memoryChanges = useMemoryChanges(api, memory.increment);
  const active = useActiveThread(api, session.id, {
    onSend: list.moveToTop,
    onEvent: ({ event, data }) => {
      if (event === "memory.scheduled") memory.incrementAfter(data.due_at);
    },
    onEnd: () => {
      list.refreshAfterRun();
      memory.increment();
    },
  });
  const { thread, branches } = active;
  const listed = list.threads.items.find(({ thread_id }) => branches.includes(thread_id));
  const remove = async (removed: ThreadId, forget: boolean) => {
    if (!(await list.remove(removed, forget))) return;
    if (forget) memory.increment();
    if (branches.includes(removed)) active.openNewThread();
  };
  const shared = { api, config, session: { ...session, signOut }, layout };

  return (
    <div className="workspace">
      <SkipLink />
      <Navigation {...shared} />
      {layout.threads.visible && (
        <ThreadsSidebar
          {...shared}
          list={list}
          current={listed?.thread_id ?? thread}
          onRemove={(removed, forget) => void remove(removed, forget)}
        />
      )}
      <main className="workspace-main" id="main" tabIndex={-1}>
        <Suspense fallback={null}>
          <Switch>
            <Route path={MEMORY_PATH}>
              <MemoryView {...shared} version={memory.version} onChange={memory.increment} />
            </Route>
            <Route path={SETTINGS_PATH}>
              <SettingsView {...shared} />
            </Route>
            <Route>
              <ChatView
                {...shared}
                drafts={drafts}
                active={active}
                listed={listed}
                options={options}
                onOptionsChange={setOptions}
                onDelete={() => void remove(thread, false)}
                memoryChanges={memoryChanges}
                memoryVersion={memory.version}
                onMemoryChange={memory.increment}
              />
            </Route>
          </Switch>
        </Suspense>
      </main>
      {layout.memory.visible && (
        <MemorySidebar {...shared} version={memory.version} onChange={memory.increment} />
      )}
    </div>
  );
}
