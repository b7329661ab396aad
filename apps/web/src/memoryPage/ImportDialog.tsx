import { useState, type FormEvent } from "react";
import type { Api } from "../api/client";
import { toProblem } from "../api/problem";
import type { Problem } from "../api/types";
import { useStrings } from "../strings";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { useToast } from "../ui/toast";

type Props = { api: Api; onClose: () => void; onImport: () => void };

export function ImportDialog({ api, onClose, onImport }: Props) {
  const { actions, importing: strings } = useStrings();
  const toast = useToast();
  const [file, setFile] = useState<File | null>(null);
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const start = async (event: FormEvent) => {
    event.preventDefault();
    if (file === null) return;
    setRunning(true);
    setProblem(null);
    try {
      const { imported, unchanged, warning } = await api.memories.import(file);
      toast({ text: [strings.result(imported, unchanged), warning].filter(Boolean).join(" ") });
      onImport();
      onClose();
    } catch (error) {
      setProblem(toProblem(error));
      setRunning(false);
    }
  };
  return (
    <Dialog title={strings.title} onClose={onClose}>
      <p>{strings.text}</p>
      {problem && <Notice problem={problem} />}
      <form className="import-form" onSubmit={(event) => void start(event)}>
        <input
          type="file"
          className="field"
          aria-label={strings.file}
          accept=".jsonl,.ndjson,.json,application/x-ndjson"
          onChange={(event) => setFile(event.target.files?.[0] ?? null)}
        />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {actions.cancel}
          </button>
          <button className="button button-primary" disabled={file === null || running}>
            {running ? strings.running : strings.start}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
