import * as z from 'zod';
import { WAITING } from '../../api-contract/answer-notices.ts';
import { addCitation } from '../../api-contract/citation.ts';
import { markFound } from '../../api-contract/found-sources.ts';
import { supportRemark } from '../../api-contract/source-list.ts';
import type { StreamPart } from '../../api-contract/stream-part.ts';
import { answerChat } from '../../chat/answer.ts';
import { MAX_QUESTION_LENGTH } from '../../chat/schema.ts';
import { citationSchema } from '../../retrieval/cite/cite.ts';
import { toolFilter } from '../../retrieval/filter/filter-schema.ts';
import { admitOthers, placesOf } from '../../retrieval/places.ts';
import { scopePaths } from '../../retrieval/scope-schema.ts';
import { isJudged } from '../../support/judge-setting.ts';
import { cutMiddle } from '../../text/cut-text.ts';
import type { McpPorts } from '../ports.ts';
import { findAllNamed, NAMES_WORKSPACES, namedFields } from './find-workspace.ts';
import { defineMcpTool, type McpContext, READS } from './tool.ts';

/**
 * Maximum characters of an answer. A model that doesn't stop is interrupted, and its list of citations is
 * truncated.
 */
const MAX_ANSWER_CHARACTERS = 40_000;
const MAX_CITATIONS = 50;
/** Characters between two progress notifications. */
const PROGRESS_STEP = 200;

const input = z
  .strictObject({
    ...namedFields,
    question: z
      .string()
      .trim()
      .min(1)
      .max(MAX_QUESTION_LENGTH)
      .describe('Question that can be understood without context.'),
    paths: scopePaths.optional(),
    filter: toolFilter,
    judge: z
      .boolean()
      .optional()
      .describe(
        'Whether the model judges if the quotes support the sentences that cite them, in one more call. Default: the setting of the workspace or the service.',
      ),
  })
  .refine(...NAMES_WORKSPACES);

const output = z.object({
  answer: z.string().describe('Answer, with citation numbers in brackets.'),
  citations: z.array(citationSchema),
  notices: z.array(z.string()).describe("Notices for the reader, such as files that aren't in the index."),
});
type Answer = z.output<typeof output>;

export function askTool(ports: McpPorts) {
  return defineMcpTool({
    name: 'ask',
    title: 'Ask workspaces a question',
    description:
      'Answers a question from the indexed files of one or several workspaces, with citations: path, lines, and the exact quote from the current file. `support` of a citation says how far its quotes support the sentences that cite it: `partial`, `none`, or `contradicted` as code or a judge found; `full` only if a model judged it; `unjudged` if code found nothing wrong and no model judged it. Earlier questions are not remembered.',
    access: 'viewer',
    input,
    output,
    hints: READS,
    foreign: true,
    show: (answer) => shown(answer as Answer),
    async run({ question, paths, filter, judge, ...named }, context) {
      const { workspace, workspaces } = placesOf(await findAllNamed(ports, context, { ...named, paths }));
      const actor = context.caller.id;
      const use = { callerId: actor, workspaceId: workspace.id, kind: 'chat' as const };
      const messages = [{ role: 'user' as const, text: question }];
      await admitOthers(ports, use, workspaces);
      const asked = {
        workspace,
        workspaces,
        actor,
        messages,
        paths,
        filter,
        model: ports.openModel(use),
        signal: context.signal,
        judge: isJudged(judge, workspace, ports),
      };
      return gather(answerChat(ports.searchFor(use), asked), context);
    },
  });
}

async function gather(parts: AsyncIterable<StreamPart>, { progress, signal }: McpContext): Promise<Answer> {
  const answer: Answer = { answer: '', citations: [], notices: [] };
  let told = 0;
  progress(0, 'searching');
  for await (const part of parts) {
    signal.throwIfAborted();
    take(answer, part);
    if (answer.answer.length < told + PROGRESS_STEP) continue;
    told = answer.answer.length;
    progress(told, 'writing');
  }
  const { text } = markFound(answer.answer, answer.citations);
  const citations = answer.citations.map(({ sentences: _, ...citation }) => citation);
  return { ...answer, citations, answer: cutMiddle(text, MAX_ANSWER_CHARACTERS) };
}

function take(answer: Answer, part: StreamPart): void {
  if (part.type === 'text-delta') answer.answer += part.delta;
  else if (part.type === 'data-thought') answer.answer = '';
  else if (part.type === 'data-notice' && part.id !== WAITING && !part.transient)
    answer.notices.push((part as { data: { text: string } }).data.text);
  else answer.citations = addCitation(answer.citations, part).slice(0, MAX_CITATIONS);
}

function shown({ answer, citations, notices }: Answer): string {
  const sources = citations.map((citation) => {
    const { index, workspaceId, path, startLine, endLine, quote, reason } = citation;
    const file = workspaceId === undefined ? path : `${workspaceId}/${path}`;
    const place = `[${index}] ${file}:${startLine}${endLine === startLine ? '' : `-${endLine}`}`;
    const quoted = quote === '' ? [] : [JSON.stringify(quote)];
    const why = quote === '' || reason === undefined ? '' : `: ${reason}`;
    return [place, ...quoted, `(${supportRemark(citation)}${why})`].join(' ');
  });
  const list = sources.length === 0 ? [] : [['Sources:', ...sources].join('\n')];
  return [answer, ...list, ...notices.map((notice) => `Note: ${notice}`)].join('\n\n');
}
