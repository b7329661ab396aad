import { useEffect, useState } from "react";

const loadedModules = new WeakMap<() => Promise<object>, object>();

/**
 * Load a module when it is first needed; a failed load is repeated by the next component.
 *
 * @param load a constant function; it identifies the module.
 * @returns null until the module is loaded.
 */
export function useModule<Module extends object>(
  load: () => Promise<Module>,
  needed: boolean,
): Module | null {
  const [module, setModule] = useState(
    () => (loadedModules.get(load) as Module | undefined) ?? null,
  );
  useEffect(() => {
    if (!needed || module !== null) return;
    let mounted = true;
    load().then(
      (loaded) => {
        loadedModules.set(load, loaded);
        if (mounted) setModule(loaded);
      },
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [load, needed, module]);
  return module;
}
