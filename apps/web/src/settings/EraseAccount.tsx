import { useState, type FormEvent } from "react";
import type { Api } from "../api/client";
import { toProblem } from "../api/problem";
import type { Problem } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { summarizeReceipt, type ReceiptRow } from "./receipt";

type Props = { api: Api; onClose: () => void; onSignOut: () => void };

/** Erases the account after a confirmation, and shows the receipt. */
export function EraseAccount({ api, onClose, onSignOut }: Props) {
  const { actions, settings: strings } = useStrings();
  const [word, setWord] = useState("");
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [receipt, setReceipt] = useState<readonly ReceiptRow[] | null>(null);
  const erase = async (event: FormEvent) => {
    event.preventDefault();
    setRunning(true);
    setProblem(null);
    try {
      setReceipt(summarizeReceipt(await api.account.erase()));
    } catch (error) {
      setProblem(toProblem(error));
      setRunning(false);
    }
  };
  if (receipt !== null) return <Receipt rows={receipt} onClose={onSignOut} />;
  return (
    <Dialog title={strings.eraseQuestion} onClose={onClose}>
      <p>{strings.eraseWarning}</p>
      {problem && <Notice problem={problem} />}
      <form className="erase-form" onSubmit={(event) => void erase(event)}>
        <label htmlFor="erase-word">{strings.eraseConfirm(strings.eraseWord)}</label>
        <input
          id="erase-word"
          className="field"
          autoComplete="off"
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {actions.cancel}
          </button>
          <button
            className="button button-danger"
            disabled={running || word.trim().toLowerCase() !== strings.eraseWord}
          >
            {strings.eraseButton}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Receipt({ rows, onClose }: { rows: readonly ReceiptRow[]; onClose: () => void }) {
  const { settings: strings } = useStrings();
  const format = useFormat();
  return (
    <Dialog title={strings.receiptTitle} onClose={onClose}>
      <p>{strings.receipt(rows.reduce((sum, { count }) => sum + count, 0))}</p>
      <dl className="receipt" data-testid="receipt">
        {rows.map(({ name, count }) => (
          <div key={name}>
            <dt>{strings.receiptRows[name]}</dt>
            <dd>{format.number(count)}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <button type="button" className="button button-primary" onClick={onClose}>
          {strings.done}
        </button>
      </div>
    </Dialog>
  );
}
