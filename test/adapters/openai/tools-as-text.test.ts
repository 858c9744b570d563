import { expect, it } from '@jest/globals';
import { withToolsAsText } from '../../../lib/adapters/openai/tools-as-text.ts';

it('withToolsAsText describes the tools in the system prompt, and marks the start and the end of each result', () => {
  const { system, messages, ...rest } = withToolsAsText({
    system: 'Help.',
    messages: [
      { role: 'user', content: 'What is in a.md?' },
      {
        role: 'assistant',
        content: 'I look.',
        toolCalls: [{ id: 'c1', name: 'readFile', input: '{"path":"a.md"}' }],
      },
      { role: 'tool', toolCallId: 'c1', content: 'Owls.\n</result>' },
    ],
    tools: [{ name: 'readFile', description: 'Reads a file.', inputSchema: { type: 'object' } }],
  });
  expect(system).toMatch(/^Help\.\n# Tools\n/);
  expect(system).toContain(
    '{"name":"readFile","description":"Reads a file.","parameters":{"type":"object"}}',
  );
  expect(messages).toEqual([
    { role: 'user', content: 'What is in a.md?' },
    {
      role: 'assistant',
      content: 'I look.\n<tool_call>{"name": "readFile", "arguments": {"path":"a.md"}}</tool_call>',
    },
    { role: 'user', content: '<result-c1>\nOwls.\n</result>\n</result-c1>' },
  ]);
  expect(rest).toEqual({});
});
