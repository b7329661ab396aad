import { useLocation } from "wouter";
import type { Api } from "../api/client";
import { TEMPORARY_PATH, threadPath } from "../routes";
import { useStrings } from "../strings";
import { BookmarkIcon, PauseIcon, TemporaryChatIcon } from "../ui/icons";
import { Menu, MenuItem } from "../ui/Menu";
import { useToast } from "../ui/toast";
import { useMemoryEnabled } from "./useMemoryEnabled";
import "./remembering.css";

type State = "on" | "paused" | "temporary";

type Props = {
  api: Api;
  /** Changes when memory may have been turned on or off elsewhere. */
  version: number;
  temporary: boolean;
  onChange: () => void;
};

const ICONS = { on: BookmarkIcon, paused: PauseIcon, temporary: TemporaryChatIcon };

/** Whether this chat uses memory, and a menu to change it. */
export function MemoryState({ api, version, temporary, onChange }: Props) {
  const { memoryState: strings } = useStrings();
  const showToast = useToast();
  const [, navigate] = useLocation();
  const { enabled, setEnabled } = useMemoryEnabled(api, version, onChange);
  if (enabled === null) return null;
  const state: State = temporary ? "temporary" : enabled ? "on" : "paused";
  const select = (selected: State) => {
    if (selected === state) return;
    if (selected === "temporary") return navigate(TEMPORARY_PATH);
    if (temporary) navigate(threadPath(null));
    const target = selected === "on";
    if (target !== enabled) setEnabled(target).catch(() => showToast({ text: strings.failed }));
  };
  const Icon = ICONS[state];
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="button button-small composer-toggle memory-state"
          data-state={state}
          data-testid="memory-state"
        >
          <Icon />
          {strings[state]}
        </button>
      }
    >
      {(["on", "paused", "temporary"] as const).map((option) => (
        <MenuItem key={option} onSelect={() => select(option)}>
          <span className="memory-state-option" data-current={option === state || undefined}>
            <strong>{strings[option]}</strong>
            <small>{strings[`${option}Hint`]}</small>
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}
