import { DEEP_TEXTS, HOSTILE_TEXTS } from './hostile-texts.ts';

/** A view with the API's responses: each text in each place that it shows. */
export interface HostileView {
  path: string;
  answers: [pattern: string | RegExp, answer: unknown][];
  ready: string;
  /** The number that the service itself requests. */
  approvals?: number;
}

const TEXTS = [...HOSTILE_TEXTS, ...DEEP_TEXTS];
const LAST = 'This is the last of them.';
const NOW = '2026-01-01T00:00:00.000Z';
const RUN = '01900000-0000-7000-8000-000000000000';

export function hostileViews(workspaceId: string): HostileView[] {
  const base = `/w/${workspaceId}`;
  return [
    {
      path: `${base}/chat/hostile`,
      answers: [
        ['**/api/conversations/hostile', conversation(workspaceId)],
        [/\/api\/conversations\?/, TEXTS.map((text, at) => head(workspaceId, String(at), text))],
      ],
      ready: `text=${LAST}`,
    },
    {
      path: `${base}/agent/${RUN}`,
      answers: [
        [`**/api/agent/runs/${RUN}`, run(workspaceId, 'agent', 'waiting')],
        [`**/api/agent/runs/${RUN}/stream*`, frames()],
      ],
      ready: `text=${LAST}`,
      approvals: HOSTILE_APPROVALS,
    },
    {
      path: `${base}/papers`,
      answers: [['**/api/workspaces/*/papers?*', [...TEXTS, LAST].map(keptPaper)]],
      ready: `text=${LAST}`,
    },
    {
      path: `${base}/mcp?server=hostile`,
      answers: [
        ['**/api/workspaces/*/mcp-servers', [toolServer(workspaceId)]],
        [
          '**/api/workspaces/*/mcp-servers/hostile/tools?*',
          { tools: TEXTS.map(tool), notices: [...TEXTS, LAST] },
        ],
      ],
      ready: `text=${LAST}`,
    },
    ...['', '?tab=evidence', '?tab=plan', '?tab=left-out'].map((tab) => ({
      path: `${base}/research/${RUN}${tab}`,
      answers: [
        [`**/api/agent/runs/${RUN}`, run(workspaceId, 'research', 'done')],
        [`**/api/research/${RUN}`, research(workspaceId)],
      ] satisfies HostileView['answers'],
      ready: `text=${LAST}`,
    })),
    {
      path: `${base}/drafts/${RUN}?sentence=2`,
      answers: [
        [`**/api/agent/runs/${RUN}`, run(workspaceId, 'verify', 'done')],
        [`**/api/verify/${RUN}`, draftCheck(workspaceId)],
      ],
      ready: `text=${LAST}`,
    },
    // Columns and rows apart, because a cell for each pair would be 500 MB.
    ...[evidenceTable(workspaceId, TEXTS, [LAST]), evidenceTable(workspaceId, [LAST], TEXTS)].map(
      (table) => ({
        path: `${base}/tables/${RUN}?row=0&column=c0&source=1`,
        answers: [[`**/api/evidence-tables/${RUN}?*`, table]] satisfies HostileView['answers'],
        ready: `text=${LAST}`,
      }),
    ),
  ];
}

/** A table whose names, values, reasons, and quotes are malicious. */
function evidenceTable(workspaceId: string, asked: string[], titles: string[]) {
  const columns = asked.map((text, at) => ({
    id: `c${at}`,
    name: text,
    question: text,
    type: 'text',
    unit: text,
  }));
  const quote = (text: string) => ({
    value: text,
    path: text,
    fileHash: text,
    startLine: 1,
    endLine: 1,
    quote: text,
  });
  const cell = (text: string, at: number) => ({
    ...{ value: text, state: 'failed', verified: false, reason: text, look: true },
    citations: at === 0 ? TEXTS.map(quote) : [],
  });
  const cells = Object.fromEntries(asked.map((text, at) => [`c${at}`, cell(text, at)]));
  const counts = {
    rows: 1,
    cells: 1,
    found: 0,
    notStated: 0,
    disputed: 0,
    failed: 1,
    waiting: 0,
    corrected: 0,
    look: 1,
  };
  return {
    ...{
      id: RUN,
      workspaceId,
      name: LAST,
      createdBy: LAST,
      createdAt: NOW,
      columns,
      rowCount: 1,
      glob: LAST,
    },
    ...{
      followNew: true,
      pilot: 1,
      budget: null,
      counts,
      rows: titles.map((text, at) => ({ path: `${at}`, title: text, cells: at === 0 ? cells : {} })),
    },
    run: { runId: RUN, status: 'failed', error: LAST, scope: 'all' },
    used: { ended: LAST, calls: 1, inputTokens: 1, outputTokens: 1, costUsd: null },
    estimate: { calls: 1, inputTokens: 1, outputTokens: 1, costUsd: null },
  };
}

function keptPaper(text: string, at: number) {
  const said = { title: text, authors: [text], url: text, doi: text, arxivId: text, license: text };
  return { ...said, path: `${at} ${text}`, publishedDate: text, retrievedAt: NOW, isWhole: at % 2 === 0 };
}

function toolServer(workspaceId: string) {
  const [text = ''] = TEXTS;
  const server = { id: 'x', workspaceId, name: 'hostile', url: text, headerNames: [text] };
  return { ...server, createdBy: text, createdAt: NOW };
}

function tool(text: string, at: number) {
  return { name: `${at} ${text}`, remoteName: text, description: text, action: 'depends' };
}

function head(workspaceId: string, id: string, text: string) {
  return {
    ...{ id, workspaceId, title: text.slice(0, 200), kind: 'chat', mode: null, ownerId: text.slice(0, 100) },
    ...{ shared: true, pinned: false, messageCount: 1, createdAt: NOW, updatedAt: NOW, answering: false },
  };
}

function conversation(workspaceId: string) {
  const said = TEXTS.flatMap((text, at) => [
    {
      ...{ id: `q${at}`, role: 'user' },
      parts: [
        { type: 'text', text },
        { type: 'file', url: `workspace:${text}`, filename: text, mediaType: text },
        { type: 'file', url: text, filename: text, mediaType: 'image/png' },
      ],
    },
    {
      ...{ id: `a${at}`, role: 'assistant' },
      parts: [
        { type: 'text', text: `[1] ${text}` },
        { type: 'text', text },
        { type: 'data-notice', data: { code: text, text } },
        { type: 'data-citation', data: { ...citation(text), page: text } },
      ],
    },
  ]);
  const last = { id: 'last', role: 'assistant', parts: [{ type: 'text', text: LAST }] };
  return { ...head(workspaceId, 'hostile', 'Hostile'), messages: [...said, last] };
}

function citation(text: string) {
  return { index: 1, path: text, startLine: 1, endLine: 1, quote: text, verified: true, stale: false };
}

const HOSTILE_APPROVALS = 20;

function run(workspaceId: string, kind: string, status: string) {
  const approvals = HOSTILE_TEXTS.slice(-HOSTILE_APPROVALS).map((text, at) => ({
    ...{ id: String(at), toolName: at % 2 ? 'writeFile' : 'bash', summary: text, subjects: [text] },
    ...{ input: { command: text, content: text, path: text }, always: text, expiresAt: NOW },
    ...{ requiredBy: at % 3 ? text : null, wider: [text], effects: [effectOf(text, at)] },
    ...(at % 2 && { before: { state: 'text', text } }),
  }));
  return {
    ...{ id: RUN, workspaceId, kind, mode: 'agent', status, request: TEXTS.slice(0, 9).join(' '), steps: 1 },
    ...{ createdAt: NOW, finishedAt: null, error: null, title: 'x', origin: 'task', conversationId: null },
    changes: null,
    ...(status === 'waiting' && { approvals }),
  };
}

function effectOf(text: string, at: number) {
  return at % 4 < 2 ? { kind: 'moves', path: text, to: text } : { kind: 'runs', command: text };
}

/** Each text as the model's output, and as the input and result of each kind of tool. */
function frames(): string {
  const parts = TEXTS.flatMap((text, at) => [
    { type: 'reasoning-start', id: 'r' },
    { type: 'reasoning-delta', id: 'r', delta: text },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: text },
    { type: 'data-notice', data: { code: 'x', text } },
    ...callsOf(text, at),
  ]);
  const last = [
    { type: 'text-start', id: 'last' },
    { type: 'text-delta', id: 'last', delta: LAST },
  ];
  const all = [...parts, ...last].map((part, at) => `id: ${at + 1}\ndata: ${JSON.stringify(part)}\n\n`);
  return `${all.join('')}data: [DONE]\n\n`;
}

function callsOf(text: string, at: number) {
  const place = { path: text, startLine: 1, endLine: 1, text };
  const results: [tool: string, input: unknown, output: unknown][] = [
    ['bash', { command: text }, { stdout: text, stderr: text, exitCode: 1, note: text }],
    ['editFile', { path: text, edits: [{ oldText: text, newText: `${text}\nx` }] }, { path: text }],
    ['searchWorkspace', { query: text }, { passages: [place] }],
    ['listDirectory', { path: text }, { entries: [{ name: text, [text.slice(0, 50)]: text }] }],
    [text.slice(0, 100), text, text],
  ];
  return results.flatMap(([toolName, input, output], number) => {
    const toolCallId = `${at}-${number}`;
    return [
      { type: 'tool-input-available', toolCallId, toolName, input },
      { type: 'tool-output-available', toolCallId, output },
    ];
  });
}

function draftCheck(workspaceId: string) {
  const texts = [...TEXTS, LAST];
  const starts = texts.map((_, at) => texts.slice(0, at).reduce((sum, { length }) => sum + length + 2, 0));
  const sentences = texts.map((text, at) => ({
    ...{ n: at + 1, text, start: starts[at], end: (starts[at] ?? 0) + text.length, reason: text },
    ...(at % 2
      ? {
          ...{ verdict: 'partial', support: 'partial', by: 'code' },
          findings: [
            { rule: 'number_missing', own: text, found: text, where: { path: text } },
            { rule: 'source_absent', own: text },
          ],
        }
      : { verdict: 'no_claim', findings: [] }),
    citations: [{ ...citation(text), workspaceId, fileHash: text }],
  }));
  const counts = { sentences: texts.length, claims: texts.length, checked: texts.length, supported: 0 };
  return {
    ...{
      runId: RUN,
      workspaceIds: [workspaceId],
      name: TEXTS[0],
      format: 'txt',
      status: 'done',
      judge: true,
    },
    ...{ error: TEXTS[1], ended: TEXTS[2], counts: { ...counts, partial: 0, contradicted: 0, not_found: 0 } },
    ...{ text: texts.join('\n\n'), sentences, calls: 1, inputTokens: 1, outputTokens: 1, costUsd: null },
  };
}

function research(workspaceId: string) {
  const evidence = TEXTS.map((text, at) => ({
    ...{ id: `e${at}`, questionId: 'q0', claim: text, quote: text, path: text, startLine: 1, endLine: 1 },
    source: { kind: 'web', title: text, url: text, publishedDate: text.slice(0, 20), authors: [text] },
    ...{ verified: true, supports: 'yes', contradicts: at % 50 ? [] : [`e${at + 1}`] },
  }));
  const sentence = (text: string, at: number) => ({
    ...{ text, evidence: [`e${at}`], state: at % 2 ? 'marked' : 'supported', reasons: [text] },
  });
  const last = { questionId: null, heading: LAST, paragraphs: [TEXTS.map(sentence)] };
  const questions = [...TEXTS.slice(0, 300), LAST].map((question, at) => ({
    ...{ id: `q${at}`, question, answeredBy: question, keywords: [question] },
  }));
  return {
    ...{
      runId: RUN,
      workspaceId,
      conversationId: null,
      previousRunId: null,
      question: TEXTS[0],
      depth: 'quick',
    },
    ...{ status: 'done', error: TEXTS[1], ended: TEXTS[2], plan: { questions }, evidence },
    sections: [...TEXTS.slice(0, 40).map((heading) => ({ questionId: 'q0', heading, paragraphs: [] })), last],
    looked: [...TEXTS, LAST].map((text) => ({ questionId: 'q1', title: text, used: false, reason: text })),
    ...{ openQuestions: TEXTS, noteId: null, calls: 1, inputTokens: 1, outputTokens: 1, costUsd: null },
    createdAt: NOW,
    counts: { sentences: 1, supported: 1, marked: 0, dropped: 0 },
    estimate: { calls: 1, inputTokens: 1, outputTokens: 1, costUsd: null },
  };
}
