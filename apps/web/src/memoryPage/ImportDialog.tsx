import { useState, type FormEvent } from "react";
import type { Api } from "../api/client";
import { toProblem } from "../api/problem";
import type { ImportResult, Problem } from "../api/types";
import { useStrings } from "../strings";
import { Dialog } from "../ui/Dialog";
import { Notice } from "../ui/Notice";
import { useToast } from "../ui/toast";
import { ImportPreview } from "./ImportPreview";

type Props = { api: Api; onClose: () => void; onImport: () => void };

/** Imports a file of Keepsake or another application, after a preview. */
export function ImportDialog({ api, onClose, onImport }: Props) {
  const { actions, importing: strings } = useStrings();
  const toast = useToast();
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState<ImportResult | null>(null);
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const attempt = async (action: () => Promise<void>) => {
    setRunning(true);
    setProblem(null);
    await action().catch((error: unknown) => setProblem(toProblem(error)));
    setRunning(false);
  };
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setPreview(null);
    if (chosen !== null) {
      void attempt(async () => setPreview(await api.memories.import(chosen, true)));
    }
  };
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (file === null) return;
    void attempt(async () => {
      const { imported, unchanged, warning } = await api.memories.import(file);
      toast({ text: [strings.result(imported, unchanged), warning].filter(Boolean).join(" ") });
      onImport();
      onClose();
    });
  };
  return (
    <Dialog title={strings.title} onClose={onClose}>
      <p>{strings.text}</p>
      <p className="import-hint">{strings.hint}</p>
      {problem && <Notice problem={problem} />}
      <form className="import-form" onSubmit={start}>
        <input
          type="file"
          className="field"
          aria-label={strings.file}
          accept=".jsonl,.ndjson,.json,application/x-ndjson,application/json"
          onChange={(event) => choose(event.target.files?.[0] ?? null)}
        />
        <div role="status">
          {running && preview === null && <p className="import-hint">{strings.reading}</p>}
          {preview && <ImportPreview result={preview} />}
        </div>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {actions.cancel}
          </button>
          <button
            className="button button-primary"
            disabled={running || preview === null || preview.imported === 0}
          >
            {running && preview !== null ? strings.running : strings.start}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
