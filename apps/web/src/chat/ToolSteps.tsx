import { CloseIcon, GlobeIcon, RibbonIcon } from "../ui/icons";
import { toolLabel, toolTopic, type Tool } from "./tools";
import "./tools.css";

/** What an answer did besides talking, a line each. */
export function ToolSteps({ tools }: { tools: readonly Tool[] }) {
  if (tools.length === 0) return null;
  return (
    <ul className="tools" aria-label="Steps of this answer" data-testid="tools">
      {tools.map((tool) => (
        <ToolLine key={tool.id} tool={tool} />
      ))}
    </ul>
  );
}

function ToolLine({ tool }: { tool: Tool }) {
  const topic = toolTopic(tool);
  return (
    <li className="tool" data-state={tool.state}>
      <ToolIcon tool={tool} />
      <span className="tool-label">{toolLabel(tool)}</span>
      {topic !== "" && (
        <span className="tool-topic" title={topic}>
          {topic}
        </span>
      )}
    </li>
  );
}

function ToolIcon({ tool: { tool, state } }: { tool: Tool }) {
  if (state === "failed") return <CloseIcon />;
  return tool === "web_search" ? <GlobeIcon /> : <RibbonIcon />;
}
