import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";

type Props = {
  title: string;
  className?: string;
  /** False: the title is only read by screen readers. */
  titleVisible?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * A modal dialog, open while it is mounted. Closing returns the focus to where it was.
 *
 * The backdrop is not Radix's own, which adds a style element that the content security policy forbids.
 */
export function Dialog({
  title,
  className = "dialog",
  titleVisible = true,
  onClose,
  children,
}: Props) {
  return (
    <Primitive.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Primitive.Portal>
        <div className="backdrop" />
        <Primitive.Content className={className} aria-describedby={undefined}>
          <Primitive.Title className={titleVisible ? "dialog-title" : "visually-hidden"}>
            {title}
          </Primitive.Title>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
