import type { Client } from "./connection";
import type { Key, Me, MeUpdate, Page, Receipt, SecretKey } from "./types";

export function accountApi({ call, read, readLast }: Client) {
  return {
    get: (signal?: AbortSignal) => read<Me>("/me", { signal }),
    update: (changes: MeUpdate, signal?: AbortSignal) =>
      read<Me>("/me", { method: "PATCH", body: changes, signal }),
    /** Resolves to the number of deleted rows of each database table. */
    erase: async () => (await readLast<Receipt>("/me", { method: "DELETE" })).deleted,
    keys: async (signal?: AbortSignal) => (await read<Page<Key>>("/me/keys", { signal })).items,
    createKey: (name: string) => read<SecretKey>("/me/keys", { method: "POST", body: { name } }),
    removeKey: (key: string) => call(`/me/keys/${key}`, { method: "DELETE" }),
  };
}
