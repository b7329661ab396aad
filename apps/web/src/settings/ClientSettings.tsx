import { useState, type FormEvent } from "react";
import type { Api } from "../api/client";
import { toProblem } from "../api/problem";
import type { Problem, SecretKey } from "../api/types";
import { useFormat, useStrings } from "../strings";
import { TrashIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import { useToast } from "../ui/toast";
import { useQuery } from "../ui/useQuery";
import { CopyField } from "./CopyField";
import { Snippets } from "./Snippets";

const MAX_NAME_CHARS = 100;

/** Keys for other apps, and how to set these up. */
export function ClientSettings({ api, model }: { api: Api; model: string }) {
  const { settings: strings } = useStrings();
  const toast = useToast();
  const [version, setVersion] = useState(0);
  const [created, setCreated] = useState<SecretKey | null>(null);
  const [failure, setFailure] = useState<Problem | null>(null);
  const { data: keys, problem } = useQuery(api.account.keys, version);
  const attempt = (action: () => Promise<void>) =>
    action().then(
      () => setVersion((number) => number + 1),
      (error: unknown) => setFailure(toProblem(error)),
    );
  const create = (name: string) =>
    attempt(async () => setCreated(await api.account.createKey(name)));
  const remove = (id: string) =>
    attempt(async () => {
      await api.account.removeKey(id);
      setCreated((shown) => (shown?.id === id ? null : shown));
      toast({ text: strings.keyRemoved });
    });
  const shown = failure ?? problem;
  return (
    <section aria-labelledby="settings-clients">
      <h2 id="settings-clients">{strings.clients}</h2>
      <p className="settings-text">{strings.clientsText}</p>
      {shown && <Notice problem={shown} onDismiss={() => setFailure(null)} />}
      {created && (
        <div className="settings-new-key" role="status" data-testid="new-key">
          <p>{strings.newKey}</p>
          <CopyField text={created.key} />
        </div>
      )}
      {keys?.length === 0 && <p className="settings-text">{strings.noKeys}</p>}
      <ul className="settings-keys" aria-label={strings.clients}>
        {keys?.map((key) => (
          <KeyItem key={key.id} {...key} onRemove={() => void remove(key.id)} />
        ))}
      </ul>
      <NewKeyForm onCreate={create} />
      <Snippets model={model} />
    </section>
  );
}

type KeyProps = {
  name: string;
  created_at: string;
  last_used_at: string | null;
  onRemove: () => void;
};

function KeyItem({ name, created_at, last_used_at, onRemove }: KeyProps) {
  const { settings: strings } = useStrings();
  const format = useFormat();
  return (
    <li className="settings-key">
      <span className="settings-key-name" dir="auto">
        {name}
      </span>
      <span className="settings-key-dates">
        {strings.created(format.day(created_at))} ·{" "}
        {strings.lastUsed(last_used_at === null ? "" : format.day(last_used_at))}
      </span>
      <button
        type="button"
        className="button-icon"
        aria-label={strings.removeKey(name)}
        onClick={onRemove}
      >
        <TrashIcon />
      </button>
    </li>
  );
}

function NewKeyForm({ onCreate }: { onCreate: (name: string) => Promise<void> }) {
  const { settings: strings } = useStrings();
  const [name, setName] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await onCreate(name.trim());
    setName("");
  };
  return (
    <form className="settings-key-form" onSubmit={(event) => void submit(event)}>
      <input
        className="field"
        aria-label={strings.keyName}
        placeholder={strings.keyName}
        maxLength={MAX_NAME_CHARS}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <button className="button button-primary" disabled={name.trim() === ""}>
        {strings.createKey}
      </button>
    </form>
  );
}
