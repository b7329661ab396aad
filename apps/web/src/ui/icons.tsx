import type { ReactNode } from "react";

/** A 20 × 20 line icon, hidden from screen readers: the control around it has a label. */
function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const MenuIcon = () => (
  <Icon>
    <path d="M3.5 6h13M3.5 10h13M3.5 14h8" />
  </Icon>
);

export const PlusIcon = () => (
  <Icon>
    <path d="M10 4v12M4 10h12" />
  </Icon>
);

export const BookmarkIcon = () => (
  <Icon>
    <path d="M6 3.5h8a.5.5 0 0 1 .5.5v12.2L10 13l-4.5 3.2V4a.5.5 0 0 1 .5-.5z" />
  </Icon>
);

export const PinIcon = () => (
  <Icon>
    <path d="M7 3.5h6M8 3.5v4.8l-2.5 2.7v1.5h9V11L12 8.3V3.5M10 12.5V17" />
  </Icon>
);

export const PencilIcon = () => (
  <Icon>
    <path d="M12.6 4.4l3 3M4 16l.7-3.3 8.5-8.5a1 1 0 0 1 1.4 0l1.2 1.2a1 1 0 0 1 0 1.4l-8.5 8.5z" />
  </Icon>
);

export const TrashIcon = () => (
  <Icon>
    <path d="M4 6h12M8 6V4h4v2M5.5 6l.6 9.5a.5.5 0 0 0 .5.5h6.8a.5.5 0 0 0 .5-.5L14.5 6M8.5 9v4M11.5 9v4" />
  </Icon>
);

export const CloseIcon = () => (
  <Icon>
    <path d="M5 5l10 10M15 5L5 15" />
  </Icon>
);

export const SendIcon = () => (
  <Icon>
    <path d="M10 16V4.5M5 9l5-5 5 5" />
  </Icon>
);

export const StopIcon = () => (
  <Icon>
    <rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <path d="M7.5 7.5h8v8h-8zM12.5 4.5h-8v8" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="M4.5 10.5l3.5 3.5 7.5-8" />
  </Icon>
);

export const DownIcon = () => (
  <Icon>
    <path d="M10 4v11.5M5 11l5 5 5-5" />
  </Icon>
);

export const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="4.75" />
    <path d="M12.5 12.5L16 16" />
  </Icon>
);

export const GlobeIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="6.5" />
    <path d="M3.5 10h13M10 3.5c2.2 1.8 3.2 4 3.2 6.5s-1 4.7-3.2 6.5c-2.2-1.8-3.2-4-3.2-6.5s1-4.7 3.2-6.5z" />
  </Icon>
);

export const TemporaryChatIcon = () => (
  <Icon>
    <path
      strokeDasharray="2.4 2.4"
      d="M10 4c3.9 0 6.5 2.4 6.5 5.5S13.9 15 10 15c-.8 0-1.6-.1-2.3-.3L4 16l1-2.7c-1-1-1.5-2.3-1.5-3.8C3.5 6.4 6.1 4 10 4z"
    />
  </Icon>
);

export const ClockIcon = () => (
  <Icon>
    <path d="M4.3 7.5A6.3 6.3 0 1 1 3.8 11M4 4v3.7h3.7M10 6.5V10l2.5 1.5" />
  </Icon>
);

export const ChevronIcon = () => (
  <Icon>
    <path d="M8 6l4 4-4 4" />
  </Icon>
);

export const SignOutIcon = () => (
  <Icon>
    <path d="M8 4H4.5v12H8M12 6.5L15.5 10 12 13.5M15 10H8" />
  </Icon>
);

export const MoreIcon = () => (
  <Icon>
    <path d="M5 10h.01M10 10h.01M15 10h.01" strokeWidth="2.2" />
  </Icon>
);

export const SettingsIcon = () => (
  <Icon>
    <path d="M4 6h5M13 6h3M4 14h3M11 14h5" />
    <circle cx="11" cy="6" r="1.9" />
    <circle cx="9" cy="14" r="1.9" />
  </Icon>
);

export const ArchiveIcon = () => (
  <Icon>
    <path d="M3.5 4.5h13v3h-13zM4.5 7.5v8h11v-8M8.5 10.5h3" />
  </Icon>
);

export const DownloadIcon = () => (
  <Icon>
    <path d="M10 3.5v9M6.5 9.5L10 13l3.5-3.5M4 16.5h12" />
  </Icon>
);

export const UploadIcon = () => (
  <Icon>
    <path d="M10 13V4M6.5 7.5L10 4l3.5 3.5M4 16.5h12" />
  </Icon>
);

export const KeyboardIcon = () => (
  <Icon>
    <rect x="2.75" y="5" width="14.5" height="10" rx="1.5" />
    <path d="M6 8.5h.01M9 8.5h.01M12 8.5h.01M15 8.5h-.01M6.5 12h7" />
  </Icon>
);

export const PauseIcon = () => (
  <Icon>
    <path d="M7.5 5.5v9M12.5 5.5v9" />
  </Icon>
);

export const RefreshIcon = () => (
  <Icon>
    <path d="M15.5 8.5A6 6 0 1 0 16 11M16 4.5v4h-4" />
  </Icon>
);

export const ThumbUpIcon = () => (
  <Icon>
    <path d="M6.5 9v7.5H4V9h2.5Zm0 0 3-5.5c1.2 0 2 .9 1.8 2.1L10.8 8h4a1.5 1.5 0 0 1 1.5 1.8l-1 5.4a1.6 1.6 0 0 1-1.6 1.3H6.5" />
  </Icon>
);

export const ThumbDownIcon = () => (
  <Icon>
    <path d="M13.5 11V3.5H16V11h-2.5Zm0 0-3 5.5c-1.2 0-2-.9-1.8-2.1l.5-2.4h-4a1.5 1.5 0 0 1-1.5-1.8l1-5.4a1.6 1.6 0 0 1 1.6-1.3h7.2" />
  </Icon>
);
