import * as z from 'zod';
import { citationSchema } from '../retrieval/cite/cite.ts';

const notices = z
  .array(z.looseObject({ code: z.string(), text: z.string() }).meta({ title: 'OpenaiNotice' }))
  .describe("Notices for the reader, such as files that aren't in the index.");
const created = z.int().describe('Unix time in seconds.');
const tokens = z.int().describe('Number of tokens. 0 if the provider does not report it.');
const citation = citationSchema.describe('The citation, as in the chat of the service.');

export const modelListSchema = z
  .looseObject({
    object: z.literal('list').meta({ title: 'OpenaiListType' }),
    data: z.array(
      z
        .looseObject({
          id: z.string().describe('`workspace:` and the ID of the workspace.'),
          object: z.literal('model').meta({ title: 'OpenaiModelType' }),
          created,
          owned_by: z.string(),
          name: z.string().describe('Name of the workspace.'),
        })
        .meta({ id: 'OpenaiModel' }),
    ),
  })
  .meta({ id: 'OpenaiModels' });

const urlCitation = z
  .looseObject({
    type: z.literal('url_citation').meta({ title: 'OpenaiUrlCitationType' }),
    url_citation: z
      .looseObject({
        start_index: z.int().describe('First UTF-16 unit of the marker in the text, starting at 0.'),
        end_index: z.int().describe('End of the marker, exclusive.'),
        url: z.string().describe('Page of the console with the quote. Relative if `PUBLIC_URL` is not set.'),
        title: z.string().describe('Path of the file.'),
      })
      .meta({ title: 'OpenaiUrlCitationPlace' }),
    x_citation: citation,
  })
  .meta({ id: 'OpenaiUrlCitation' });

const message = z
  .looseObject({
    role: z.literal('assistant').meta({ title: 'OpenaiAssistantRole' }),
    content: z.string().describe('Text with citation numbers in brackets.'),
    annotations: z.array(urlCitation),
  })
  .meta({ id: 'OpenaiMessage' });

export const completionSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion').meta({ title: 'OpenaiCompletionType' }),
    created,
    model: z.string(),
    choices: z.array(
      z
        .looseObject({ index: z.int().describe('Always 0.'), message, finish_reason: z.string() })
        .meta({ id: 'OpenaiChoice' }),
    ),
    usage: z
      .looseObject({ prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens })
      .meta({ id: 'OpenaiCompletionUsage' }),
    x_notices: notices,
  })
  .meta({ id: 'OpenaiCompletion' });

const fileCitation = z
  .looseObject({
    type: z.literal('file_citation').meta({ title: 'OpenaiFileCitationType' }),
    file_id: z.string().describe('ID of the file, without the characters of its path.'),
    filename: z.string().describe('Path of the file.'),
    index: z.int().describe('First UTF-16 unit of the marker in the text, starting at 0.'),
    x_citation: citation,
  })
  .meta({ id: 'OpenaiFileCitation' });

const outputItem = z
  .looseObject({
    id: z.string(),
    type: z.string(),
    content: z.array(
      z
        .looseObject({ type: z.string(), text: z.string(), annotations: z.array(fileCitation) })
        .meta({ id: 'OpenaiOutputText' }),
    ),
  })
  .meta({ id: 'OpenaiOutputItem' });

export const responseSchema = z
  .looseObject({
    id: z.string(),
    object: z.literal('response').meta({ title: 'OpenaiResponseType' }),
    created_at: created,
    status: z.string().describe('`completed`, or `incomplete` with the reason in `incomplete_details`.'),
    model: z.string(),
    output: z.array(outputItem),
    store: z.boolean().describe('Whether `previous_response_id` can name this response.'),
    x_notices: notices,
  })
  .meta({ id: 'OpenaiResponse' });

/** The body of every error below /api/openai. */
export const openaiErrorSchema = z
  .looseObject({
    error: z
      .looseObject({
        message: z.string().describe('Sentence that explains the error.'),
        type: z.string(),
        param: z.string().nullable().describe('Field at fault, where one field is.'),
        code: z.string().describe("Code of OpenAI's API, or the code of the service."),
      })
      .meta({ id: 'OpenaiErrorDetail' }),
  })
  .meta({ id: 'OpenaiError', description: "Error in the form of OpenAI's API." });

export const openaiEventSchema = z.looseObject({
  event: z.string().optional().describe('Type of the event, in the Responses API.'),
  data: z.string().meta({ pattern: '^(?:\\{.*\\}|\\[DONE\\])$', description: 'Event as JSON, or `[DONE]`.' }),
});
