import * as fc from 'fast-check';
import { TOOL_NAMES } from '../../lib/api-contract/tool-names.ts';
import { type PortableSkill, portableSkillSchema, type Skill } from '../../lib/skills/schema.ts';

/**
 * Texts that break hand-written YAML and Markdown: quotes, colons, look-alikes of other types, front matter
 * delimiters.
 */
const AWKWARD = [
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '---',
  '\n---\n',
  '--- ',
  '...',
  '"',
  "'",
  ': ',
  ' #',
  '- ',
  '|',
  '>',
  '&a',
  '*a',
  '!!str',
  '%',
  '@',
  '`',
  '{{x}}',
  '{',
  '[',
  ',',
  '\\',
  '\\n',
  'true',
  'no',
  'null',
  '~',
  '1',
  '1.10',
  '0x1f',
  '012',
  '1e3',
  '.inf',
  '2024-01-01',
  '12:30:00',
  '<<',
  '=',
  '?',
  '😀',
  'é',
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\ud83d\udc69\u200d\ud83d\udd2c',
];

function texts(maxPieces: number): fc.Arbitrary<string> {
  const piece = fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: 'grapheme', maxLength: 8 }));
  return fc.array(piece, { maxLength: maxPieces }).map((pieces) => pieces.join(''));
}

function labels(): fc.Arbitrary<string> {
  return texts(4).filter((text) => text.length > 0 && text.length <= 200);
}

function parameters(): fc.Arbitrary<PortableSkill['parameters'][number]> {
  const common = {
    name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_-]{0,8}$/),
    label: labels(),
    required: fc.boolean(),
    placeholder: fc.option(texts(3), { nil: undefined }),
  };
  const typed = <Type extends PortableSkill['parameters'][number]['type']>(
    type: Type,
    defaultValue: fc.Arbitrary<string | number | boolean>,
  ) =>
    fc.record({
      ...common,
      type: fc.constant(type),
      defaultValue: fc.option(defaultValue, { nil: undefined }),
    });
  const numbers = fc
    .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    .map((n) => n + 0);
  const select = fc
    .tuple(typed('select', fc.boolean()), fc.uniqueArray(labels(), { minLength: 1, maxLength: 4 }))
    .map(([parameter, options]) => ({
      ...parameter,
      options,
      defaultValue: parameter.defaultValue === undefined ? undefined : options[0],
    }));
  return fc.oneof(
    typed('string', texts(4)),
    typed('number', numbers),
    typed('boolean', fc.boolean()),
    select,
  );
}

/** Every kind of valid skill; the schema itself excludes invalid ones (control characters, blank prompts). */
export function legalSkills(): fc.Arbitrary<PortableSkill> {
  return fc
    .record({
      name: labels(),
      slug: fc.option(texts(2), { nil: undefined }),
      description: texts(6),
      systemPrompt: texts(20),
      steps: fc.array(
        fc.record({ instruction: labels(), toolHint: fc.option(labels(), { nil: undefined }) }),
        { maxLength: 3 },
      ),
      allowedTools: fc.option(fc.uniqueArray(fc.constantFrom(...TOOL_NAMES)), { nil: null }),
      parameters: fc.uniqueArray(parameters(), { maxLength: 4, selector: ({ name }) => name }),
      isEnabled: fc.boolean(),
    })
    .map((skill) => JSON.parse(JSON.stringify(skill)) as PortableSkill)
    .filter((skill) => portableSkillSchema.safeParse(skill).success);
}

export function makeSkill(fields: Partial<Skill> = {}): Skill {
  return {
    id: '01a1fcf8-a7e2-778b-8bd9-87a5309f5401',
    workspaceId: null,
    name: 'A skill',
    slug: 'a-skill',
    description: '',
    systemPrompt: 'Do it.',
    steps: [],
    allowedTools: null,
    parameters: [],
    isEnabled: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...fields,
  };
}
