import type { ListedThread } from "../api/types";
import { useStrings } from "../strings";
import { ArchiveIcon, DownloadIcon, MoreIcon, PencilIcon, PinIcon, TrashIcon } from "../ui/icons";
import { Menu, MenuItem, MenuSeparator } from "../ui/Menu";

export type ThreadActions = {
  readonly onRename: () => void;
  readonly onPin: () => void;
  readonly onArchive: () => void;
  readonly onExport: () => void;
  readonly onDelete: () => void;
};

type Props = ThreadActions & { thread: ListedThread; title: string };

export function ThreadMenu({ thread: { pinned, archived }, title, ...actions }: Props) {
  const { threads: strings } = useStrings();
  const trigger = (
    <button type="button" className="button-icon" aria-label={strings.actions(title)}>
      <MoreIcon />
    </button>
  );
  return (
    <span className="thread-actions">
      <Menu trigger={trigger}>
        <MenuItem onSelect={actions.onRename}>
          <PencilIcon />
          {strings.rename}
        </MenuItem>
        {!archived && (
          <MenuItem onSelect={actions.onPin}>
            <PinIcon />
            {pinned ? strings.unpin : strings.pin}
          </MenuItem>
        )}
        <MenuItem onSelect={actions.onArchive}>
          <ArchiveIcon />
          {archived ? strings.unarchive : strings.archive}
        </MenuItem>
        <MenuItem onSelect={actions.onExport}>
          <DownloadIcon />
          {strings.export}
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={actions.onDelete}>
          <TrashIcon />
          {strings.delete}
        </MenuItem>
      </Menu>
    </span>
  );
}
