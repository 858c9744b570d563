import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import * as z from 'zod';
import { admitCalls, callTool, checkCall } from '../../../../lib/agent/calls/call.ts';
import { defineTool, type Tool, type ToolContext } from '../../../../lib/agent/tools/tool.ts';
import { Conflict } from '../../../../lib/errors.ts';
import { makeContext } from '../../../support/tool-context.ts';

const SECRET = 'sk-not-to-be-repeated';

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  input: z.strictObject({
    text: z.string().max(100),
    times: z.int().min(1).default(1),
    kind: z.enum(['a', 'b']).optional(),
  }),
  inEveryMode: true,
  timeoutMs: 60_000,
  async run({ text, times }) {
    return text.repeat(times);
  },
});

const check = (input: string, name = 'echo', tools = [echo]) => checkCall(tools, { id: '1', name, input });

/** A tool with this function. */
function doing(run: (context: ToolContext) => Promise<unknown>, changes: Partial<Tool> = {}): Tool {
  return { ...echo, run: (_, context) => run(context), ...changes };
}

function call(tool: Tool, context = makeContext('/')) {
  const checked = checkCall([tool], { id: '1', name: tool.name, input: '{"text":"x"}' });
  if (checked.refusal !== undefined) throw new Error(checked.refusal);
  return callTool(checked, context, { maxCharacters: 1000 });
}

describe('admitCalls', () => {
  const callWith = (input: string) => ({ id: '1', name: 'echo', input });
  const problems = (inputs: string[]) => admitCalls(inputs.map(callWith)).map(({ problem }) => problem);

  it('keeps arguments that can be parsed', () => {
    expect(admitCalls([callWith('{"text":"x"}'), callWith('no JSON')])).toEqual([
      { call: callWith('{"text":"x"}') },
      { call: callWith('no JSON') },
    ]);
  });

  it('drops arguments that are too long, alone or together, or too complex', () => {
    const [long, half] = ['x'.repeat(100_001), 'x'.repeat(99_000)];
    expect(admitCalls([callWith(long)])).toEqual([
      { call: callWith('{}'), problem: expect.stringMatching(/longer than 100000/) },
    ]);
    const together = problems([half, half, long, half, half, half]);
    expect(together.map((problem) => problem?.match(/\d+/)?.[0])).toEqual([
      ...[undefined, undefined, '100000', undefined, undefined, '400000'],
    ]);
    expect(problems(['['.repeat(101)])).toEqual([expect.stringMatching(/too many values/)]);
  });
});

describe('checkCall', () => {
  it('returns the exact arguments with defaults', () => {
    expect(check('{"text":"x"}')).toEqual({
      call: { id: '1', name: 'echo', input: '{"text":"x"}' },
      tool: echo,
      input: { text: 'x', times: 1 },
    });
  });

  it('treats null as missing, and an empty text as no arguments', () => {
    expect(check('{"text":"x","kind":null,"times":null}')).toMatchObject({ input: { text: 'x', times: 1 } });
    const none = { ...echo, input: z.strictObject({}) };
    expect(check('', 'echo', [none])).toMatchObject({ input: {} });
  });

  it.each([
    ['an unknown tool', '{}', 'bash', 'The tool "bash" doesn\'t exist here. Available tools: echo.'],
    [
      'an incomplete object',
      `{"text":"${SECRET}`,
      'echo',
      /^The arguments aren't valid JSON \(at position \d+\)\. Write the call/,
    ],
    [
      'invalid JSON',
      SECRET,
      'echo',
      /^The arguments aren't valid JSON \(at their end\)\. Write the call again\./,
    ],
    [
      'too many characters',
      `{"text":"${'x'.repeat(100_000)}"}`,
      'echo',
      'The arguments are longer than 100000 characters. Write less per call.',
    ],
    [
      'too many names',
      `{${Array.from({ length: 6000 }, (_, at) => `"k${at}":1`)}}`,
      'echo',
      'The arguments have too many values, field names, or levels of nesting. Write less per call.',
    ],
    ['a list', `["${SECRET}"]`, 'echo', 'arguments must be an object.'],
    ['a string', `"${SECRET}"`, 'echo', 'arguments must be an object.'],
    ['a missing field', '{}', 'echo', 'text is required.'],
    [
      'a wrong type',
      `{"text":"x","times":"${SECRET}"}`,
      'echo',
      /^times must be a whole number, at least 1\./,
    ],
    ['a wrong choice', `{"text":"x","kind":"${SECRET}"}`, 'echo', 'kind must be a or b.'],
    [
      'an unknown field',
      `{"text":"x","txt":"${SECRET}"}`,
      'echo',
      "txt isn't a known field. Did you mean text?",
    ],
    [
      'a field that is too long',
      `{"text":"${SECRET.repeat(9)}"}`,
      'echo',
      'text must be text of at most 100 characters.',
    ],
  ])('rejects %s, and names the problem', (_, input, name, refusal) => {
    const checked = check(input, name);
    expect(checked.refusal).toEqual(typeof refusal === 'string' ? refusal : expect.stringMatching(refusal));
    expect(checked.refusal).not.toContain(SECRET);
  });

  it('reports that there are no tools at all', () => {
    expect(check('{}', 'x'.repeat(1000), []).refusal).toBe(
      `The tool "${'x'.repeat(64)}" doesn't exist here. Available tools: none.`,
    );
  });
});

describe('callTool', () => {
  it('returns the result of the tool as JSON', async () => {
    expect(await call(echo)).toEqual({ output: 'x', isError: false });
    expect(await call(doing(async () => ({ a: undefined, date: new Date(0) })))).toEqual({
      output: { date: '1970-01-01T00:00:00.000Z' },
      isError: false,
    });
    expect(await call(doing(async () => undefined))).toEqual({ output: null, isError: false });
  });

  it('truncates a long result and explains how to get the rest', async () => {
    const long = doing(async () => ({ text: 'x'.repeat(5000) }), { rest: () => 'Ask for less.' });
    const { output } = await call(long);
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(1000);
    expect(output).toMatchObject({ cut: 'The output had 5011 characters and was truncated. Ask for less.' });
  });

  it('returns the message of a service error to the model', async () => {
    const refusing = doing(async () => {
      throw new Conflict('conflict', 'path: in use');
    });
    expect(await call(refusing)).toEqual({ output: 'path: in use', isError: true });
  });

  it.each([
    ['an error', () => Promise.reject(new Error(SECRET))],
    [
      'a synchronous error',
      (): Promise<unknown> => {
        throw new TypeError(SECRET);
      },
    ],
    ['a value without a JSON form', async () => 1n],
    [
      'a circular value',
      async () => {
        const circle: unknown[] = [];
        circle.push(circle);
        return circle;
      },
    ],
  ])('hides %s from the model, and logs it', async (_, run) => {
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      expect(await call(doing(run))).toEqual({
        output: 'Something went wrong in the service. Try again.',
        isError: true,
      });
      expect(written.mock.calls.join()).toContain('a tool failed');
    } finally {
      written.mockRestore();
    }
  });

  it('stops a tool at its timeout, even if it ignores the signal', async () => {
    const seen: boolean[] = [];
    const deaf = doing(
      async ({ signal }) => {
        signal.addEventListener('abort', () => seen.push(true));
        await pause(60_000, undefined, { ref: false });
      },
      { timeoutMs: 50 },
    );
    expect(await call(deaf)).toEqual({ output: expect.stringContaining('took more than'), isError: true });
    expect(seen).toEqual([true]);
  });

  it('throws only if the run is stopped', async () => {
    const controller = new AbortController();
    const context = makeContext('/', { signal: controller.signal });
    const stopped = call(
      doing(() => new Promise(() => {})),
      context,
    );
    const reason = new Error('stopped');
    controller.abort(reason);
    await expect(stopped).rejects.toBe(reason);
    const run = jest.fn(async () => 'x');
    await expect(call(doing(run), context)).rejects.toBe(reason);
    expect(run).not.toHaveBeenCalled();
  });
});
