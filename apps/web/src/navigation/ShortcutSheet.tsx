import { useStrings } from "../strings";
import { Dialog } from "../ui/Dialog";
import { isApple, keysOf, SHORTCUTS } from "./shortcuts";
import "./navigation.css";

/** All keyboard shortcuts. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { actions, navigation: strings } = useStrings();
  const apple = isApple(navigator.platform);
  return (
    <Dialog title={strings.shortcuts} onClose={onClose}>
      <dl className="shortcuts">
        {SHORTCUTS.map(({ action }) => (
          <div key={action}>
            <dt>{strings.actions[action]}</dt>
            <dd>
              {keysOf(action, apple).map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {actions.close}
        </button>
      </div>
    </Dialog>
  );
}
