import { useTranslation } from 'react-i18next';
import { TOOL_NAMES, type ToolName } from '../../lib/api-contract/tool-names.ts';

/** Returns how people call a tool: its name in words, or of a tool of an MCP server, the name that the server gives it. */
export function useToolName(): (tool: string) => string {
  const { t } = useTranslation();
  return (tool) => (isKnown(tool) ? t(`agent.tools.${tool}`) : tool);
}

function isKnown(tool: string): tool is ToolName {
  return (TOOL_NAMES as readonly string[]).includes(tool);
}
