import { useTranslation } from 'react-i18next';
import { TOOL_NAMES, type ToolName } from '../../lib/api-contract/tool-names.ts';

/** Returns a tool's name for people: in words or, for an MCP server's tool, the server's own name for it. */
export function useToolName(): (tool: string) => string {
  const { t } = useTranslation();
  return (tool) => (isKnown(tool) ? t(`agent.tools.${tool}`) : tool);
}

function isKnown(tool: string): tool is ToolName {
  return (TOOL_NAMES as readonly string[]).includes(tool);
}
