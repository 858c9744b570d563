import type { McpPorts } from '../ports.ts';
import { agentTools } from './agent-tools.ts';
import { askTool } from './ask.ts';
import { datasetTools } from './datasets.ts';
import { noteTools } from './notes.ts';
import { paperTools } from './papers.ts';
import { researchTools } from './research.ts';
import { runAgentTool } from './run-agent.ts';
import { runSkillTool } from './run-skill.ts';
import type { McpTool } from './tool.ts';
import { verifyTools } from './verify.ts';
import { listWorkspacesTool } from './workspaces.ts';
import { mcpWriteFileTool } from './write-file.ts';

/** Returns all tools; `access` decides who may call and see each one. */
export function allMcpTools(ports: McpPorts): McpTool[] {
  return [
    listWorkspacesTool(ports),
    askTool(ports),
    ...agentTools(ports),
    mcpWriteFileTool(ports),
    ...noteTools(ports),
    ...paperTools(ports),
    ...datasetTools(ports),
    ...researchTools(ports),
    ...verifyTools(ports),
    runAgentTool(ports),
    runSkillTool(ports),
  ];
}
