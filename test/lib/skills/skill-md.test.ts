import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { InvalidInput } from '../../../lib/errors.ts';
import { readSkillMarkdown, writeSkillMarkdown } from '../../../lib/skills/skill-md.ts';
import { cpuTimeOf } from '../../support/processes/cpu-time.ts';
import { legalSkills } from '../../support/skills.ts';
import { tries } from '../../support/tries.ts';

function read(text: string) {
  return readSkillMarkdown(text, 'content');
}

const PLAIN = {
  name: 'PDF tools',
  description: '',
  systemPrompt: 'Do it.',
  steps: [],
  allowedTools: null,
  parameters: [],
  isEnabled: true,
};

describe('our own SKILL.md', () => {
  it('restores every valid skill', () => {
    fc.assert(
      fc.property(legalSkills(), (skill) => {
        expect(read(writeSkillMarkdown(skill))).toEqual(skill);
      }),
      { numRuns: tries(1000) },
    );
  });

  it('also restores a skill from UTF-8, with or without a byte order mark', () => {
    fc.assert(
      fc.property(legalSkills(), fc.boolean(), (skill, mark) => {
        const bytes = Buffer.from((mark ? '\ufeff' : '') + writeSkillMarkdown(skill));
        expect(read(bytes.toString())).toEqual(skill);
      }),
      { numRuns: tries(200) },
    );
  });

  it('is easy to read', () => {
    const text = writeSkillMarkdown({
      ...PLAIN,
      slug: 'pdf',
      description: 'Use when: a file is a PDF',
      allowedTools: ['readFile'],
      parameters: [
        { name: 'file', label: 'File', type: 'string', required: true },
        { name: 'pages', label: 'Pages', type: 'number', required: false, defaultValue: 3 },
      ],
      steps: [{ instruction: 'Open {{file}}', toolHint: 'readFile' }],
      isEnabled: false,
      systemPrompt: '# PDF\n\nRead {{file}}.\n',
    });
    expect(text).toBe(`---
name: PDF tools
slug: pdf
description: 'Use when: a file is a PDF'
allowed-tools:
  - readFile
enabled: false
parameters:
  - name: file
    label: File
    type: string
    required: true
  - name: pages
    label: Pages
    type: number
    required: false
    default: 3
steps:
  - instruction: Open {{file}}
    tool-hint: readFile
---

# PDF

Read {{file}}.

`);
  });
});

describe('third-party SKILL.md', () => {
  it.each([
    ['the minimum', '---\nname: PDF tools\n---\nDo it.', {}],
    ['an empty line after the front matter', '---\nname: PDF tools\n---\n\nDo it.\n', {}],
    ['Windows line endings', '---\r\nname: PDF tools\r\n---\r\n\r\nDo it.\r\n', {}],
    ['a byte order mark', '\ufeff---\nname: PDF tools\n---\nDo it.', {}],
    ['spaces after the delimiters', '---  \nname: PDF tools\n---\t\nDo it.', {}],
    ['unknown fields', '---\nname: PDF tools\nlicense: MIT\nmetadata: {a: [1]}\n---\nDo it.', {}],
    ['empty fields', '---\nname: PDF tools\ndescription:\nallowed-tools:\nsteps:\n---\nDo it.', {}],
    [
      'tools with commas',
      '---\nname: PDF tools\nallowed-tools: Read, Grep ,Bash\n---\nDo it.',
      {
        allowedTools: ['readFile', 'grep', 'bash'],
      },
    ],
    [
      'tools with spaces',
      '---\nname: PDF tools\nallowed-tools: readFile Write Edit MultiEdit\n---\nDo it.',
      {
        allowedTools: ['readFile', 'writeFile', 'editFile'],
      },
    ],
    [
      'tools with patterns',
      '---\nname: PDF tools\nallowed-tools: Bash(git log:*, git diff), Read\n---\nDo it.',
      {
        allowedTools: ['bash', 'readFile'],
      },
    ],
    [
      'tools as a list',
      '---\nname: PDF tools\nallowed-tools: [Read, "Bash(npm *)"]\n---\nDo it.',
      {
        allowedTools: ['readFile', 'bash'],
      },
    ],
    [
      'unknown tools',
      '---\nname: PDF tools\nallowed-tools: WebFetch, mcp__x__y\n---\nDo it.',
      {
        allowedTools: [],
      },
    ],
    ['no tools', '---\nname: PDF tools\nallowed-tools: []\n---\nDo it.', { allowedTools: [] }],
    [
      'steps as strings',
      '---\nname: PDF tools\nsteps:\n  - One\n  - Two\n---\nDo it.',
      {
        steps: [{ instruction: 'One' }, { instruction: 'Two' }],
      },
    ],
    [
      'a short parameter',
      '---\nname: PDF tools\nparameters:\n  - name: file\n---\nDo it.',
      {
        parameters: [{ name: 'file', label: 'file', type: 'string', required: false }],
      },
    ],
    [
      'a folded description',
      '---\nname: PDF tools\ndescription: >-\n  One\n  two\n---\nDo it.',
      {
        description: 'One two',
      },
    ],
    ['a delimiter in the prompt', '---\nname: PDF tools\n---\na\n---\nb', { systemPrompt: 'a\n---\nb' }],
  ])('is read with %s', (_what, text, expected) => {
    expect(read(text)).toEqual({ ...PLAIN, ...expected });
  });

  const bomb = Array.from({ length: 9 }, (_, i) => `b${i + 1}: &b${i + 1} [${`*b${i},`.repeat(9)}]`);
  it.each([
    ['nothing', '', 'must begin with'],
    ['no front matter', '# Title\n\nDo it.', 'must begin with'],
    ['an unclosed front matter', '---\nname: x\n', 'without a closing line'],
    ['no fields', '---\n---\nDo it.', 'front matter'],
    ['a list', '---\n- a\n---\nDo it.', "isn't a list of fields"],
    ['a string', '---\nhello\n---\nDo it.', "isn't a list of fields"],
    ['broken YAML', '---\nname: x\ndescription: a: b\n---\nDo it.', "isn't valid YAML"],
    ['two fields with one name', '---\nname: x\nname: y\n---\nDo it.', "isn't valid YAML"],
    ['a tag', '---\nname: !!js/function "x"\n---\nDo it.', "isn't valid YAML"],
    ['an alias', '---\nname: &a x\nslug: *a\n---\nDo it.', "isn't valid YAML"],
    ['an alias bomb', `---\nb0: &b0 [x]\n${bomb.join('\n')}\nname: *b9\n---\nDo it.`, "isn't valid YAML"],
    ['deep nesting', `---\nname: ${'['.repeat(50)}${']'.repeat(50)}\n---\nDo it.`, "isn't valid YAML"],
    ['no name', '---\nslug: x\n---\nDo it.', 'name'],
    ['a number as the name', '---\nname: 2024\n---\nDo it.', 'name'],
    ['no prompt', '---\nname: x\n---\n\n', 'systemPrompt'],
    ['an unknown tool', '---\nname: x\nallowed-tools: redFile\n---\nDo it.', 'allowedTools'],
    [
      'a default with another type',
      '---\nname: x\nparameters: [{name: a, default: 1}]\n---\nDo it.',
      'defaultValue',
    ],
    ['an unknown parameter field', '---\nname: x\nparameters: [{name: a, tpye: b}]\n---\nDo it.', 'tpye'],
    ["parameters that aren't a list", '---\nname: x\nparameters: a\n---\nDo it.', 'parameters'],
    ["a step that isn't a string", '---\nname: x\nsteps: [1]\n---\nDo it.', 'steps'],
    ['a control character', '---\nname: x\n---\na\0b', 'systemPrompt'],
  ])('is rejected with %s', (_what, text, named) => {
    const refused = () => read(text);
    expect(refused).toThrow(InvalidInput);
    expect(refused).toThrow(/^content /);
    expect(refused).toThrow(named);
  });

  const readHostile = () => {
    for (const piece of ['[', '{', '- ', '? ', 'a: ', '"', "'", '|\n ', '# ', '&a ', '--- ', '\n---', '(']) {
      try {
        read(`---\nname: x\nd: ${piece.repeat(200_000 / piece.length)}\n---\nDo it.`);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidInput);
      }
      try {
        read(`---\nname: x\nallowed-tools: "${piece.replace('"', '').repeat(50_000)}"\n---\nDo it.`);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidInput);
      }
    }
  };

  it('is rejected before front matter of a megabyte is parsed', () => {
    const steps = Array.from({ length: 49_000 }, (_, at) => `- k${at}: x`);
    const text = ['---', 'name: x', 'steps:', ...steps, '---', '', 'Do it.'].join('\n');
    expect(() => readSkillMarkdown(text, 'content')).toThrow(/front matter of more than 400,000 characters/);
  });

  it('is read quickly, whatever it contains', async () => {
    expect(await cpuTimeOf(readHostile)).toBeLessThan(15_000);
  });
});
