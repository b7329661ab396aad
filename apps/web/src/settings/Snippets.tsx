import { Tabs } from "radix-ui";
import { useStrings } from "../strings";
import { CopyField } from "./CopyField";
import { clientSnippets } from "./clientSnippets";

/** How other apps connect to this gateway. */
export function Snippets({ model }: { model: string }) {
  const { settings: strings } = useStrings();
  const snippets = clientSnippets(window.location.origin, model);
  return (
    <div className="snippets">
      <h3>{strings.snippet}</h3>
      <p className="settings-text">{strings.snippetText}</p>
      <Tabs.Root defaultValue="0" className="snippets-tabs">
        <Tabs.List className="tabs" aria-label={strings.snippet}>
          {snippets.map(({ client }, index) => (
            <Tabs.Trigger key={client} value={String(index)} className="tab">
              {client}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {snippets.map(({ client, code }, index) => (
          <Tabs.Content key={client} value={String(index)} tabIndex={-1}>
            <CopyField text={code} label={strings.copySnippet} />
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </div>
  );
}
