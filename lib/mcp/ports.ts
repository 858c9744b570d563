import type { AgentPorts } from '../agent/ports.ts';
import type { AnswerPorts } from '../chat/answer.ts';
import type { WritePorts } from '../files/write-file.ts';
import type { Papers } from '../ports/papers.ts';
import type { ModelPrices } from '../prices/schema.ts';
import type { Use } from '../usage/schema.ts';

/** Ports of the tools, resources, and prompts offered over the Model Context Protocol. */
export interface McpPorts extends AgentPorts, WritePorts {
  searchFor(use: Use): AnswerPorts;
  papers: Papers;
  prices: ModelPrices;
  /** True if an answer's citations are judged by default. */
  judgesCitations?: boolean;
}
