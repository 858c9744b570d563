import type { AgentPorts } from '../agent/ports.ts';
import type { ChatPlatforms } from '../ports/chat-platform.ts';
import type { Queue } from '../ports/queue.ts';
import type { Transcriber } from '../ports/transcriber.ts';
import type { ModelPrices } from '../prices/schema.ts';

/** Ports of the bots' worker: those of the agent, and the enabled platforms. */
export interface BotPorts extends AgentPorts {
  botQueue: Queue;
  platforms: ChatPlatforms;
  /** Absent if no configured provider supports it. */
  transcriber?: Transcriber | undefined;
  workspaceRoots: string[];
  prices: ModelPrices;
  /** The service's URL for links to the console, if known. */
  publicUrl?: string | undefined;
  /** True if a model judges the quotes of a draft. */
  judgesCitations?: boolean | undefined;
}
