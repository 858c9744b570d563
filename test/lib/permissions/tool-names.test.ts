import { describe, expect, it } from '@jest/globals';
import { allTools, type ToolPorts } from '../../../lib/agent/tools/all-tools.ts';
import { TOOL_NAMES } from '../../../lib/api-contract/tool-names.ts';

describe('tool names that a skill may allow', () => {
  it("are those of the agent's tools", () => {
    const tools = allTools({ webSearch: {} } as ToolPorts); // creating them uses no port
    expect([...TOOL_NAMES].sort()).toEqual(tools.map(({ name }) => name).sort());
  });
});
