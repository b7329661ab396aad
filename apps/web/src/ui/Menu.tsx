import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

type Props = {
  /** The button that opens the menu. */
  trigger: ReactElement;
  children: ReactNode;
  align?: "start" | "end";
};

/** A menu of actions. Not modal, because a modal one adds a style element that the content security policy forbids. */
export function Menu({ trigger, children, align = "end" }: Props) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

type ItemProps = { onSelect: () => void; danger?: boolean; children: ReactNode };

export function MenuItem({ onSelect, danger = false, children }: ItemProps) {
  return (
    <DropdownMenu.Item
      className="menu-item"
      data-danger={danger || undefined}
      // The next frame: the menu has closed and returned the focus when a dialog opens.
      onSelect={() => requestAnimationFrame(onSelect)}
    >
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="menu-separator" />;
}
