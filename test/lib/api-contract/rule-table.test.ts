import { describe, expect, it } from '@jest/globals';
import {
  ASK_MODES,
  actionOfRow,
  coversTool,
  isCovered,
  isInTable,
  RULE_ROWS,
  type RuleAction,
  readAskMode,
  SANDBOX_MODE,
  type TableRule,
  withAskMode,
  withRow,
} from '../../../lib/api-contract/rule-table.ts';
import { TOOL_NAMES } from '../../../lib/api-contract/tool-names.ts';
import { judge } from '../../../lib/permissions/judge.ts';
import { DEFAULTS, isAboutTool } from '../../../lib/permissions/rules.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ACTIONS: RuleAction[] = ['allow', 'ask', 'deny'];

function rule(text: string): TableRule {
  const [tool = '', pattern = '', action = 'ask'] = text.split(' ');
  return { tool, pattern, action: action as RuleAction };
}

function setOf(...texts: string[]) {
  return { rules: texts.map(rule), defaults: DEFAULTS };
}

function textsOf(rules: TableRule[]): string[] {
  return rules.map(({ tool, pattern, action }) => `${tool} ${pattern} ${action}`);
}

describe('permission table', () => {
  it('shows the defaults without rules', () => {
    expect(RULE_ROWS.map((row) => actionOfRow(setOf(), row))).toEqual(['allow', 'allow', 'allow', 'ask']);
  });

  it.each([
    [['writeFile * ask'], 'change', 'ask'],
    [['writeFile ** deny'], 'change', 'deny'],
    [['editFile * ask'], 'change', 'mixed'],
    [['writeFile * ask', 'editFile * deny'], 'change', 'mixed'],
    [['writeFile src/** ask'], 'change', 'allow'],
    [['* * deny'], 'read', 'deny'],
    [['grep * deny'], 'read', 'mixed'],
    [['mcp__git__* * deny'], 'mcp', 'ask'],
    [['bash * deny', '* * ask'], 'run', 'ask'],
  ] as const)('shows for %j and %s: %s', (rules, row, action) => {
    expect(actionOfRow(setOf(...rules), row)).toBe(action);
  });

  it('writes the rules that it then shows, and keeps all other rules in their order', () => {
    const tools = ['*', 'bash', 'writeFile', 'editFile', 'readFile', 'grep', 'mcp__*', 'mcp__a__b', '*File'];
    let seed = 7;
    const pick = <Item>(items: readonly Item[]) => {
      seed = (seed * 48271) % 2147483647;
      return items[seed % items.length] as Item;
    };
    for (let round = 0; round < 2000; round++) {
      const rules = Array.from({ length: seed % 6 }, () => ({
        tool: pick(tools),
        pattern: pick(['*', 'x*', '**', 'a/**']),
        action: pick(ACTIONS),
      }));
      const [row, action] = [pick(RULE_ROWS), pick(ACTIONS)];
      const changed = withRow({ rules, defaults: DEFAULTS }, row, action);
      const now = { rules: changed, defaults: DEFAULTS };
      expect([rules, row, actionOfRow(now, row)]).toEqual([rules, row, action]);
      for (const other of RULE_ROWS)
        if (other !== row)
          expect([rules, other, actionOfRow(now, other)]).toEqual([
            rules,
            other,
            actionOfRow({ rules, defaults: DEFAULTS }, other),
          ]);
      const kept = rules.filter((each) => !isInTable(each));
      expect(changed.filter((each) => !isInTable(each))).toEqual(kept);
      expect(withRow(now, row, action)).toEqual(changed);
    }
  });

  it('keeps a rule in its position, so that no earlier exception takes effect', () => {
    const set = setOf('mcp__a__* * allow', 'mcp__* * deny', 'mcp__b__* * allow');
    expect(textsOf(withRow(set, 'mcp', 'ask'))).toEqual([
      'mcp__a__* * allow',
      'mcp__* * ask',
      'mcp__b__* * allow',
    ]);
  });

  it('puts a new rule before the exceptions, which keep their effect', () => {
    expect(textsOf(withRow(setOf('bash ls* allow'), 'run', 'ask'))).toEqual(['bash * ask', 'bash ls* allow']);
  });

  it('lists rules without an effect', () => {
    const { rules } = setOf('bash ls* allow', 'bash * ask', 'bash git* allow', 'writeFile a allow');
    expect(rules.map((_, at) => isCovered(rules, at))).toEqual([true, false, false, false]);
  });

  it('agrees with the rules about the tools that a wildcard includes', () => {
    for (const tool of ['*', 'b*', '*File', 'read*', 'mcp__*', 'm*__x', 'grep', '**', 'b*s*h', '-*'])
      for (const name of [...TOOL_NAMES, 'mcp__x', 'mcp__a__b'])
        expect([tool, name, coversTool({ tool }, name)]).toEqual([tool, name, isAboutTool({ tool }, name)]);
  });
});

describe('approval mode', () => {
  it.each(ASK_MODES)('%s is read back as it was written', (mode) => {
    for (const before of [setOf(), setOf('bash * deny', 'writeFile * ask'), setOf('* * ask')]) {
      const rules = withAskMode(before, mode);
      expect(readAskMode({ ...before, rules })).toEqual({ mode, exceptions: 0 });
    }
  });

  it("is the sandbox's mode only with the setting and the rules of commands", () => {
    const modeOf = (...rules: string[]) => readAskMode({ ...setOf(...rules), sandboxed: true }).mode;
    expect(modeOf('bash * ask')).toBe(SANDBOX_MODE);
    expect(modeOf('bash * ask', 'writeFile * ask')).toBe('changes');
    expect(modeOf()).toBe('never');
  });

  it.each([
    [[], 'never', 0],
    [['writeFile * ask', 'bash * ask', 'writeFile notes/** allow'], 'changes', 1],
    [['bash ls* allow', 'bash * ask'], 'commands', 0],
    [['bash * deny'], 'custom', 0],
    [['writeFile * ask'], 'custom', 0],
    [['bash git* deny', 'mcp__x * deny', 'readFile a deny'], 'never', 1],
  ] as const)('is recognized from %j as %s with %i exceptions', (rules, mode, exceptions) => {
    expect(readAskMode(setOf(...rules))).toEqual({ mode, exceptions });
  });

  it('has the effect that the judge then applies', async () => {
    const place = { rootPath: await tempFolder(), cwd: '' };
    const actionsOf = async (rules: TableRule[]) => {
      const all = [...DEFAULTS, ...rules];
      const write = { tools: ['editFile', 'writeFile'], argument: { kind: 'path' as const, text: 'a.md' } };
      const command = { tools: ['bash'], argument: { kind: 'shell' as const, text: 'rm -rf data' } };
      const read = { tools: ['readFile'], argument: { kind: 'path' as const, text: 'a.md' } };
      const judged = [write, command, read].map((call) => judge(all, call, place));
      return (await Promise.all(judged)).map(({ action }) => action);
    };
    expect(await actionsOf(withAskMode(setOf(), 'changes'))).toEqual(['ask', 'ask', 'allow']);
    expect(await actionsOf(withAskMode(setOf(), 'commands'))).toEqual(['allow', 'ask', 'allow']);
    expect(await actionsOf(withAskMode(setOf(), 'never'))).toEqual(['allow', 'allow', 'allow']);
  });
});
