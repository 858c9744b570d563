import { useTranslation } from 'react-i18next';
import { TOOL_NAMES, type ToolName } from '../../lib/api-contract/tool-names.ts';

/** Returns a function that names a tool for people: in words or, for an MCP server's tool, by the server's own name. */
export function useToolName(): (tool: string) => string {
  const { t } = useTranslation();
  return (tool) => (isKnown(tool) ? t(`agent.tools.${tool}`) : tool);
}

function isKnown(tool: string): tool is ToolName {
  return (TOOL_NAMES as readonly string[]).includes(tool);
}
