import { DropdownMenu } from "radix-ui";
import { useLayoutEffect, useRef } from "react";
import { MenuPartsContext, type MenuItemProps, type MenuParts, type MenuProps } from "./menuParts";

type Props = MenuProps & {
  defaultOpen: boolean;
  /** True: the trigger takes the focus when it is mounted. */
  focused: boolean;
};

/** Not modal, because a modal menu adds a style element that the content security policy forbids. */
export function RadixMenu({ trigger, children, align = "end", defaultOpen, focused }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const initiallyFocused = useRef(focused);
  useLayoutEffect(() => {
    if (initiallyFocused.current) button.current?.focus();
  }, []);
  return (
    <DropdownMenu.Root modal={false} defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild ref={button}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align={align} sideOffset={4} collisionPadding={8}>
          <MenuPartsContext value={PARTS}>{children}</MenuPartsContext>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ onSelect, danger = false, children }: MenuItemProps) {
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

function Separator() {
  return <DropdownMenu.Separator className="menu-separator" />;
}

const PARTS: MenuParts = { Item, Separator };
