import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { builtInSkills } from '../../../lib/skills/built-in.ts';
import type { Skill } from '../../../lib/skills/schema.ts';
import { packZip } from '../../support/samples/zip.ts';
import { startService } from '../../support/service.ts';
import { legalSkills } from '../../support/skills.ts';
import { tries } from '../../support/tries.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const service = await startService();
const workspace = await makeWorkspace(service);
const UNKNOWN = '01a1fcf8-a7e2-778b-8bd9-87a5309f5401';
const [builtIn] = builtInSkills();
const least = { name: 'A skill', systemPrompt: 'Do it.' };
let count = 0;

function create(body: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  return service.call<Skill>('POST', '/api/skills', { ...least, name: `Skill ${++count}`, ...body }, headers);
}
function importOne(body: unknown) {
  return service.call<Skill>('POST', '/api/skills/import', body);
}
function list(query = '') {
  return service.call<Skill[]>('GET', `/api/skills${query}`);
}

describe('POST /api/skills', () => {
  it('returns 201 with the record, including defaults', async () => {
    const { status, body } = await create({ name: 'Étude: 2nd draft' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      workspaceId: null,
      name: 'Étude: 2nd draft',
      slug: 'etude-2nd-draft',
      description: '',
      systemPrompt: 'Do it.',
      steps: [],
      allowedTools: null,
      parameters: [],
      isEnabled: true,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedAt: body.createdAt,
    });
    expect((await service.call('GET', `/api/skills/${body.id}`)).body).toEqual(body);
  });

  it('normalizes a slug, and generates one for a name without Latin letters', async () => {
    expect((await create({ slug: '  My  SLUG!! ' })).body.slug).toBe('my-slug');
    expect((await create({ name: '文献综述' })).body.slug).toMatch(/^skill-[0-9a-f]{12}$/);
    expect((await create({ name: `Long ${'x'.repeat(190)}` })).body.slug).toHaveLength(64);
  });

  it('gives a slug to one of twenty concurrent callers, and leaves it free in other workspaces', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ slug: 'race' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect((await create({ slug: 'race', workspaceId: workspace.id })).status).toBe(201);
    expect((await create({ slug: 'race', workspaceId: workspace.id })).status).toBe(409);
    const { body } = await list(`?workspaceId=${workspace.id}&limit=1000`);
    expect(body.filter(({ slug }) => slug === 'race')).toHaveLength(2);
  });

  it('reserves the slugs of built-in skills among the global skills, but not in a workspace', async () => {
    const slug = builtIn?.slug;
    expect((await create({ slug })).status).toBe(409);
    expect((await create({ slug, workspaceId: workspace.id })).status).toBe(201);
  });

  it('accepts the largest skill, and a skill in any script', async () => {
    const { status, body } = await create({
      systemPrompt: '研'.repeat(80_000),
      description: '😀'.repeat(2000),
    });
    expect(status).toBe(201);
    expect((await service.call('GET', `/api/skills/${body.id}`)).body).toEqual(body);
  });

  const parameter = { name: 'x', label: 'X', type: 'string', required: true };
  it.each([
    ['a body that is not JSON', 'x', 400, 'JSON'],
    ['no name', { systemPrompt: 'x' }, 400, 'name'],
    ['a blank name', { ...least, name: ' ' }, 400, 'name'],
    ['a name over 200 characters', { ...least, name: 'n'.repeat(201) }, 400, 'name'],
    ['no prompt', { name: 'x' }, 400, 'systemPrompt'],
    ['a blank prompt', { ...least, systemPrompt: ' \n' }, 400, 'systemPrompt'],
    [
      'a prompt over 100,000 characters',
      { ...least, systemPrompt: 'x'.repeat(100_001) },
      400,
      'systemPrompt',
    ],
    ['over 256 KB in total', { ...least, systemPrompt: '研'.repeat(100_000) }, 400, 'skill'],
    ['NUL', { ...least, systemPrompt: 'a\0b' }, 400, 'systemPrompt'],
    ['a lone surrogate', { ...least, description: '\ud800' }, 400, 'description'],
    ['a slug without letters', { ...least, slug: '研究' }, 400, 'slug'],
    ['a description over 4000 characters', { ...least, description: 'x'.repeat(4001) }, 400, 'description'],
    ['an unknown field', { ...least, prompt: 'x' }, 400, 'prompt'],
    ['an ID', { ...least, id: UNKNOWN }, 400, 'id'],
    ['an unknown tool', { ...least, allowedTools: ['redFile'] }, 400, 'allowedTools'],
    ['a duplicate tool', { ...least, allowedTools: ['grep', 'grep'] }, 400, 'allowedTools'],
    ['steps as strings', { ...least, steps: ['x'] }, 400, 'steps'],
    ['an empty step', { ...least, steps: [{ instruction: '' }] }, 400, 'instruction'],
    ['over 100 steps', { ...least, steps: Array(101).fill({ instruction: 'x' }) }, 400, 'steps'],
    [
      'a parameter with an invalid name',
      { ...least, parameters: [{ ...parameter, name: 'a b' }] },
      400,
      'name',
    ],
    [
      'a parameter with an unknown type',
      { ...least, parameters: [{ ...parameter, type: 'date' }] },
      400,
      'type',
    ],
    [
      'two parameters with the same name',
      { ...least, parameters: [parameter, parameter] },
      400,
      'parameters',
    ],
    [
      'a select without options',
      { ...least, parameters: [{ ...parameter, type: 'select' }] },
      400,
      'options',
    ],
    ['options for a text', { ...least, parameters: [{ ...parameter, options: ['a'] }] }, 400, 'options'],
    [
      'a default with another type',
      { ...least, parameters: [{ ...parameter, defaultValue: 1 }] },
      400,
      'defaultValue',
    ],
    [
      "a default that isn't an option",
      { ...least, parameters: [{ ...parameter, type: 'select', options: ['a'], defaultValue: 'b' }] },
      400,
      'defaultValue',
    ],
    ['over 50 parameters', { ...least, parameters: Array(51).fill(parameter) }, 400, 'parameters'],
    ["isEnabled that isn't a boolean", { ...least, isEnabled: 'yes' }, 400, 'isEnabled'],
    ['an unknown workspace', { ...least, workspaceId: UNKNOWN }, 404, 'workspace'],
    ['an empty workspace', { ...least, workspaceId: '' }, 400, 'workspaceId'],
    ['an unpaired surrogate as the workspace', { ...least, workspaceId: '\ud800' }, 400, 'workspaceId'],
  ])('rejects %s', async (_what, body, status, named) => {
    const answer = await service.call('POST', '/api/skills', body, { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(named) } });
  });
});

describe('GET /api/skills', () => {
  it('lists the global skills and those of the workspace, newest first, and the built-in ones last', async () => {
    const other = await makeWorkspace(service);
    const made = [
      await create(),
      await create({ workspaceId: workspace.id }),
      await create({ workspaceId: other.id }),
      await create(),
    ].map(({ body }) => body);
    const [first, own, elsewhere, last] = made;
    const { body } = await list(`?workspaceId=${workspace.id}&limit=1000`);
    expect(body.slice(0, 3)).toEqual([last, own, first]);
    expect(body.slice(-builtInSkills().length)).toEqual(JSON.parse(JSON.stringify(builtInSkills())));
    expect(body).not.toContainEqual(elsewhere);
    const global = (await list('?limit=1000')).body;
    expect(global.filter(({ workspaceId }) => workspaceId !== null)).toEqual([]);
    expect(global.slice(0, 2)).toEqual([last, first]);
  });

  it('returns pages with a cursor, each skill once, including the built-in ones', async () => {
    const query = `workspaceId=${workspace.id}`;
    const all = (await list(`?${query}&limit=1000`)).body.map(({ id }) => id);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 100; page++) {
      const answer = await list(`?${query}&limit=3${cursor}`);
      seen.push(...answer.body.map(({ id }) => id));
      const next = answer.headers['x-next-cursor'];
      if (next === undefined) break;
      cursor = `&cursor=${String(next)}`;
    }
    expect(seen).toEqual(all);
  });

  it('returns a shorter page if prompts are long', async () => {
    const { id } = await makeWorkspace(service);
    const systemPrompt = '研'.repeat(80_000);
    for (let i = 0; i < 20; i++) await create({ workspaceId: id, systemPrompt });
    const seen: Skill[] = [];
    let answer = await list(`?workspaceId=${id}&limit=1000`);
    expect(answer.bytes.length).toBeLessThan(3 * 1024 * 1024);
    for (;;) {
      seen.push(...answer.body.filter(({ workspaceId }) => workspaceId === id));
      const cursor = answer.headers['x-next-cursor'];
      if (cursor === undefined) break;
      answer = await list(`?workspaceId=${id}&limit=1000&cursor=${String(cursor)}`);
    }
    expect(new Set(seen.map((skill) => skill.id)).size).toBe(20);
  });

  it.each([
    ['?limit=0', 400, 'limit'],
    ['?limit=1001', 400, 'limit'],
    ['?cursor=!!!', 400, 'cursor'],
    ['?workspaceId=', 400, 'workspaceId'],
    [`?workspaceId=${UNKNOWN}`, 404, 'workspace'],
  ])('rejects %s', async (query, status, named) => {
    expect(await list(query)).toMatchObject({ status, body: { error: expect.stringContaining(named) } });
  });
});

describe('PUT /api/skills/{skillId}', () => {
  const change = (id: string, body: unknown) => service.call<Skill>('PUT', `/api/skills/${id}`, body);

  it('changes the given fields and keeps the others', async () => {
    const made = (await create({ description: 'before', allowedTools: ['grep'] })).body;
    const { status, body } = await change(made.id, { systemPrompt: 'New.', allowedTools: null });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...made,
      systemPrompt: 'New.',
      allowedTools: null,
      updatedAt: expect.any(String),
    });
    expect(body.updatedAt > made.updatedAt).toBe(true);
    expect((await service.call('GET', `/api/skills/${made.id}`)).body).toEqual(body);
  });

  it('frees the old slug, reserves the new one, and can change back', async () => {
    const made = (await create({ slug: 'old-slug' })).body;
    expect((await change(made.id, { slug: 'New Slug' })).body.slug).toBe('new-slug');
    expect((await create({ slug: 'new-slug' })).status).toBe(409);
    expect((await change(made.id, { slug: 'old-slug' })).status).toBe(200);
    expect((await create({ slug: 'new-slug' })).status).toBe(201);
    expect((await create({ slug: 'old-slug' })).status).toBe(409);
    expect((await change(made.id, { slug: 'new-slug' })).status).toBe(409);
  });

  it('keeps both of two concurrent changes, and their slugs', async () => {
    const { id } = (await create({ slug: 'busy' })).body;
    const texts = Array.from({ length: 10 }, (_, i) => `busy-${i}`);
    await Promise.all([
      ...texts.map((slug) => change(id, { slug })),
      change(id, { description: 'kept' }),
      change(id, { steps: [{ instruction: 'kept' }] }),
    ]);
    const { body } = await service.call<Skill>('GET', `/api/skills/${id}`);
    expect(body).toMatchObject({ description: 'kept', steps: [{ instruction: 'kept' }] });
    const free = ['busy', ...texts].filter((slug) => slug !== body.slug);
    const answers = await Promise.all(free.map((slug) => create({ slug })));
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect((await create({ slug: body.slug })).status).toBe(409);
  });

  it.each([
    ['an unknown skill', UNKNOWN, {}, 404, 'skill'],
    ['a built-in skill', builtIn?.id ?? '', { isEnabled: false }, 409, 'import it as a copy'],
    ['another workspace', 'made', { workspaceId: null }, 400, 'workspaceId'],
    ['an ID', 'made', { id: UNKNOWN }, 400, 'id'],
    ['a blank name', 'made', { name: '' }, 400, 'name'],
    ['a slug without letters', 'made', { slug: '!' }, 400, 'slug'],
    ['null', 'made', { description: null }, 400, 'description'],
    ['too much in total', 'made', { systemPrompt: '研'.repeat(100_000) }, 400, 'skill'],
  ])('rejects %s', async (_what, id, body, status, named) => {
    const target = id === 'made' ? (await create()).body.id : id;
    expect(await change(target, body)).toMatchObject({
      status,
      body: { error: expect.stringContaining(named) },
    });
  });
});

describe('DELETE /api/skills/{skillId}', () => {
  it('removes the skill and frees its slug', async () => {
    const { id } = (await create({ slug: 'to-go' })).body;
    expect(await service.call('DELETE', `/api/skills/${id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await service.call('GET', `/api/skills/${id}`)).status).toBe(404);
    expect((await service.call('DELETE', `/api/skills/${id}`)).status).toBe(404);
    expect((await create({ slug: 'to-go' })).status).toBe(201);
  });

  it('returns 409 for a built-in skill', async () => {
    expect((await service.call('DELETE', `/api/skills/${builtIn?.id}`)).status).toBe(409);
  });

  it('is implied by deleting the workspace', async () => {
    const { id } = await makeWorkspace(service);
    const skill = (await create({ workspaceId: id })).body;
    await service.call('DELETE', `/api/workspaces/${id}`);
    expect((await service.call('GET', `/api/skills/${skill.id}`)).body).toEqual({
      error: 'This skill does not exist.',
    });
  });
});

describe('skill import from bytes', () => {
  const send = (bytes: Uint8Array | string, type: string, query = '') =>
    service.call<Skill & { error: string }>('POST', `/api/skills/import${query}`, Buffer.from(bytes), {
      'content-type': type,
    });
  const text = (name: string) => `---\nname: ${name}\n---\nDo it well.\n`;

  it('accepts a SKILL.md unchanged, for a workspace in the query', async () => {
    const { id } = await makeWorkspace(service);
    const made = await send(text('As text'), 'text/markdown; charset=utf-8', `?workspaceId=${id}`);
    expect([made.status, made.body.name, made.body.workspaceId]).toEqual([201, 'As text', id]);
  });

  it.each([
    ['at its top', 'SKILL.md'],
    ['in its folder', 'a-skill/SKILL.md'],
  ])('accepts a zip with one %s', async (where, name) => {
    const zip = packZip({ [name]: text(`Zipped ${where}`), 'a-skill/notes.txt': 'more' });
    const made = await send(zip, 'application/zip');
    expect([made.status, made.body.name, made.body.workspaceId]).toEqual([201, `Zipped ${where}`, null]);
  });

  it.each([
    ['an invalid zip', Buffer.from('PK nothing'), "can't be read"],
    ['a zip without a skill', packZip({ 'README.md': 'x' }), 'The ZIP contains no SKILL.md.'],
    ['a zip with two skills', packZip({ 'a/SKILL.md': text('a'), 'b/SKILL.md': text('b') }), 'more than one'],
    [
      'a zip with a large skill',
      packZip({ 'SKILL.md': 'x'.repeat(2 << 20) }),
      'The SKILL.md can have at most 1 MB.',
    ],
  ])('rejects %s', async (_, zip, error) => {
    const answer = await send(zip, 'application/zip');
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
  });

  it('lists the accepted types', async () => {
    expect((await send('x', 'text/plain')).body.error).toBe(
      'content-type must be application/json or text/markdown or application/zip.',
    );
  });
});

describe('skill export and import', () => {
  const exported = (id: string, query = '') =>
    service.call<string>('GET', `/api/skills/${id}/export${query}`);
  const bare = ({ id: _i, slug: _s, workspaceId: _w, createdAt: _c, updatedAt: _u, ...skill }: Skill) =>
    skill;

  it('export an attachment named after the slug', async () => {
    const { id } = (await create({ slug: 'to-export' })).body;
    const answer = await exported(id);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="to-export.md"');
    expect(answer.body).toMatch(/^---\nname: Skill \d+\nslug: to-export\n/);
    const json = await exported(id, '?format=json');
    expect(json.headers['content-disposition']).toBe('attachment; filename="to-export.json"');
    expect(json.body).toMatchObject({ slug: 'to-export', systemPrompt: 'Do it.' });
  });

  it('restore the same skill from SKILL.md, JSON, and the record', async () => {
    await fc.assert(
      fc.asyncProperty(legalSkills(), async (skill) => {
        const made = await importOne({ skill: { ...skill, slug: 'round-trip' }, workspaceId: workspace.id });
        expect(made.status).toBe(201);
        const markdown = (await exported(made.body.id)).bytes.toString();
        const json = (await exported(made.body.id, '?format=json')).bytes.toString();
        for (const body of [
          { content: markdown },
          { content: json },
          { skill: JSON.parse(json) },
          { skill: made.body },
        ]) {
          const again = await importOne({ ...body, workspaceId: workspace.id });
          expect([again.status, bare(again.body)]).toEqual([201, bare(made.body)]);
          await service.call('DELETE', `/api/skills/${again.body.id}`);
        }
        await service.call('DELETE', `/api/skills/${made.body.id}`);
      }),
      { numRuns: tries(25) },
    );
  });

  it('copy a built-in skill', async () => {
    const content = (await exported(builtIn?.id ?? '')).body;
    const { status, body } = await importOne({ content });
    expect([status, body.slug]).toEqual([201, `${builtIn?.slug}-1`]);
    expect((await service.call('PUT', `/api/skills/${body.id}`, { isEnabled: false })).status).toBe(200);
  });

  it('number taken slugs, each once, even in ten concurrent imports', async () => {
    const content = '---\nname: Same again\n---\nDo it.';
    const answers = await Promise.all(Array.from({ length: 10 }, () => importOne({ content })));
    const slugs = answers.map(({ body }) => body.slug).sort();
    expect(slugs).toEqual(
      ['same-again', ...Array.from({ length: 9 }, (_, i) => `same-again-${i + 1}`)].sort(),
    );
  });

  const long = `---\nname: x\n---\n${'x'.repeat(100_001)}`;
  it.each([
    ['nothing', {}, 400, 'one of'],
    ['two at once', { content: 'x', url: 'https://example.com/' }, 400, 'one of'],
    ["a text that isn't a skill", { content: 'hello' }, 400, 'content'],
    ['invalid JSON', { content: '{' }, 400, 'content'],
    ['a prompt that is too long', { content: long }, 400, 'systemPrompt'],
    ['a skill with an unknown field', { skill: { ...least, prompt: 'x' } }, 400, 'prompt'],
    ['an unknown field', { content: 'x', name: 'x' }, 400, 'name'],
    ['an unknown workspace', { skill: least, workspaceId: UNKNOWN }, 404, 'workspace'],
    ['plain HTTP', { url: 'http://example.com/SKILL.md' }, 400, 'url must be an HTTPS URL.'],
    ['a file URL', { url: 'file:///etc/passwd' }, 400, 'url must be an HTTPS URL.'],
    ['an invalid URL', { url: 'example.com' }, 400, 'url must be a valid URL.'],
    ['a credential', { url: 'https://a:b@example.com/' }, 400, "url can't contain"],
    ['another port', { url: 'https://example.com:8443/' }, 400, 'url must use the default port'],
    ['loopback', { url: 'https://127.0.0.1/' }, 400, 'url must lead to'],
    ['this host', { url: 'https://localhost/' }, 400, 'url must lead to'],
    ['metadata', { url: 'https://169.254.169.254/' }, 400, 'url must lead to'],
    ['a number', { url: 'https://2852039166/' }, 400, 'url must lead to'],
    ['IPv6 loopback', { url: 'https://[::1]/' }, 400, 'url must lead to'],
  ])('reject an import of %s', async (_what, body, status, named) => {
    expect(await importOne(body)).toMatchObject({ status, body: { error: expect.stringContaining(named) } });
  });

  it.each([
    [UNKNOWN, '', 404, 'skill'],
    [builtIn?.id ?? '', '?format=xml', 400, 'format'],
  ])('reject an export of %s%s', async (id, query, status, named) => {
    expect(await exported(id, query)).toMatchObject({
      status,
      body: { error: expect.stringContaining(named) },
    });
  });
});
