import { useState } from "react";
import type { Api } from "../api/client";
import { isAbort, toProblem } from "../api/problem";
import type { Problem } from "../api/types";
import { DeleteAllDialog } from "../memories/DeleteAllMemories";
import { useStrings } from "../strings";
import { download } from "../ui/download";
import { DownloadIcon, MoreIcon, TrashIcon, UploadIcon } from "../ui/icons";
import { Menu, MenuItem, MenuSeparator } from "../ui/Menu";
import { Notice } from "../ui/Notice";
import { useToast } from "../ui/toast";
import { ImportDialog } from "./ImportDialog";

type Props = { api: Api; onRemoveAll: () => void; onImport: () => void };

/** Export, import and deletion of all memories. */
export function DataMenu({ api, onRemoveAll, onImport }: Props) {
  const { memories, memoryPage: strings } = useStrings();
  const toast = useToast();
  const [dialog, setDialog] = useState<"import" | "deleteAll" | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const close = () => setDialog(null);
  const exportAll = async () => {
    setProblem(null);
    try {
      download(await api.memories.export(), "memories.jsonl");
      toast({ text: strings.exported });
    } catch (error) {
      if (!isAbort(error)) setProblem(toProblem(error));
    }
  };
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="button-icon" aria-label={strings.more}>
            <MoreIcon />
          </button>
        }
      >
        <MenuItem onSelect={() => setDialog("import")}>
          <UploadIcon />
          {strings.importMemories}
        </MenuItem>
        <MenuItem onSelect={() => void exportAll()}>
          <DownloadIcon />
          {strings.exportMemories}
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => setDialog("deleteAll")}>
          <TrashIcon />
          {memories.deleteAll}
        </MenuItem>
      </Menu>
      {problem && <Notice problem={problem} onDismiss={() => setProblem(null)} />}
      {dialog === "import" && <ImportDialog api={api} onClose={close} onImport={onImport} />}
      {dialog === "deleteAll" && <DeleteAllDialog onClose={close} onDelete={onRemoveAll} />}
    </>
  );
}
