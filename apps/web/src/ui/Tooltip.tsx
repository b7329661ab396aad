import { Tooltip as Primitive } from "radix-ui";
import type { ReactElement } from "react";

/** A hint that appears while the pointer or the focus is on a control. Requires a `Tooltip.Provider` of Radix above it. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="tooltip" sideOffset={6} collisionPadding={8}>
          {text}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
