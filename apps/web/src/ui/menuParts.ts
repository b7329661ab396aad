import { createContext, use, type ReactElement, type ReactNode } from "react";

export type MenuProps = {
  /** The button that opens the menu. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
};

export type MenuItemProps = {
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly children: ReactNode;
};

/** The components in a menu, which are loaded with it. */
export type MenuParts = {
  readonly Item: (props: MenuItemProps) => ReactNode;
  readonly Separator: () => ReactNode;
};

export const MenuPartsContext = createContext<MenuParts | null>(null);

export function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (parts === null) throw new Error("a menu item requires a menu");
  return parts;
}
