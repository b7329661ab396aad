import { Popover as Primitive } from "radix-ui";
import type { ReactElement, ReactNode } from "react";

type Props = {
  /** The button that opens the popover. */
  trigger: ReactElement;
  label: string;
  className?: string;
  children: ReactNode;
};

/** Content beside a button, closed by Escape or a click outside. */
export function Popover({ trigger, label, className = "", children }: Props) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className={`popover ${className}`}
          aria-label={label}
          sideOffset={6}
          collisionPadding={12}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
