import { lazy, Suspense } from "react";
import { SessionGate } from "./session/SessionGate";
import type { Session } from "./session/session";
import { useConfig } from "./session/useConfig";
import { useStrings } from "./strings";
import { Notice } from "./ui/Notice";
import { Splash } from "./ui/Splash";
import { ToastProvider } from "./ui/ToastProvider";

// Loaded together with the configuration, not after it.
const workspaceModule = import("./workspace/Workspace");
const Workspace = lazy(() => workspaceModule);

export function App() {
  const strings = useStrings();
  const { config, problem, retry } = useConfig();
  if (problem !== null) {
    return (
      <main className="page-status">
        <Notice problem={problem}>
          <button type="button" className="button button-small" onClick={retry}>
            {strings.actions.tryAgain}
          </button>
        </Notice>
      </main>
    );
  }
  if (config === null) return <Splash />;

  const workspace = (session: Session) => (
    <Workspace key={session.id} config={config} session={session} />
  );
  return (
    <ToastProvider>
      <Suspense fallback={<Splash />}>
        <SessionGate config={config}>{workspace}</SessionGate>
      </Suspense>
    </ToastProvider>
  );
}
