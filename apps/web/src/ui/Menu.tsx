import { cloneElement, useState, type ButtonHTMLAttributes, type ReactElement } from "react";
import { useMenuParts, type MenuItemProps, type MenuProps } from "./menuParts";
import { useModule } from "./useModule";

const loadMenu = () => import("./RadixMenu");

/**
 * A menu of actions. Its code is loaded when the pointer or the focus reaches the button.
 *
 * The button is then replaced by that of the menu, but not while it is pressed, which would lose the click.
 */
export function Menu(props: MenuProps) {
  const [intent, setIntent] = useState<"none" | "near" | "open">("none");
  const [focused, setFocused] = useState(false);
  const [pressed, setPressed] = useState(false);
  const module = useModule(loadMenu, intent !== "none");
  if (module !== null && !pressed) {
    return <module.RadixMenu {...props} defaultOpen={intent === "open"} focused={focused} />;
  }
  const approach = () => setIntent((before) => (before === "none" ? "near" : before));
  return cloneElement(props.trigger as ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: approach,
    onPointerDown: () => setPressed(true),
    onPointerLeave: () => setPressed(false),
    onFocus: () => {
      setFocused(true);
      approach();
    },
    onBlur: () => setFocused(false),
    onClick: () => {
      setPressed(false);
      setIntent("open");
    },
  });
}

export function MenuItem(props: MenuItemProps) {
  const { Item } = useMenuParts();
  return <Item {...props} />;
}

export function MenuSeparator() {
  const { Separator } = useMenuParts();
  return <Separator />;
}
