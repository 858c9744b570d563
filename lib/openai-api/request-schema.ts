import * as z from 'zod';
import { searchFilter } from '../retrieval/filter/filter-schema.ts';

const MAX_MESSAGES = 2000;
const MAX_PARTS = 200;

const model = z
  .string()
  .min(1)
  .max(1000)
  .describe(
    'ID of a model from `GET /models`: `workspace:` and the ID of a workspace, or of 1 to 20, separated by commas.',
  );
const stream = z.boolean().nullish().describe('Whether the answer is sent as events. Default: false.');
const completionStreamOptions = z
  .looseObject({
    include_usage: z.boolean().nullish().describe('Whether the last chunk has the usage. Default: false.'),
  })
  .meta({ title: 'OpenaiCompletionStreamOptions' });
const responseStreamOptions = z.looseObject({}).meta({ title: 'OpenaiResponseStreamOptions' });
const outputTokens = z.int().min(1).max(1_000_000).nullish();

const filter = searchFilter
  .nullish()
  .describe('Limits the files that the answer may use by their facts. A parameter of this service.');

const imageUrl = z.looseObject({ url: z.string() }).meta({ title: 'OpenaiImageUrl' });

const sentFile = z
  .looseObject({
    file_data: z.string().nullish().describe('`data:` URL, or `workspace:` and the path of a file.'),
    filename: z.string().nullish().describe('Name of the file.'),
  })
  .meta({ title: 'OpenaiSentFile' });

const contentPart = z
  .looseObject({
    type: z.string().max(100),
    text: z.string().optional(),
    image_url: z
      .union([z.string(), imageUrl])
      .nullish()
      .describe('Image as a `data:` URL, or `workspace:` and the path of a file.'),
    file: sentFile.optional(),
    ...sentFile.shape,
  })
  .meta({ title: 'OpenaiContentPart' });
export type ContentPart = z.output<typeof contentPart>;

const content = z
  .union([z.string(), z.array(contentPart).max(MAX_PARTS)])
  .nullish()
  .describe('Text, or parts with text, images, and files.');

const completionMessage = z
  .looseObject({
    role: z.string().max(100).describe('`system`, `developer`, `user`, or `assistant`.'),
    content,
  })
  .meta({ title: 'OpenaiSentMessage' });

const UNSUPPORTED =
  'Parameters that do not affect the answer are accepted. Others, or their values, are refused by name, with the code `unsupported_parameter`.';

export const openaiCompletionBody = z
  .looseObject({
    model,
    messages: z.array(completionMessage).min(1).max(MAX_MESSAGES),
    stream,
    stream_options: completionStreamOptions.nullish().describe('Options of a streamed answer.'),
    max_tokens: outputTokens.describe('Use `max_completion_tokens`.'),
    max_completion_tokens: outputTokens.describe('Maximum number of tokens that the model writes.'),
    filter,
  })
  .meta({ title: 'OpenaiCompletionRequest', description: UNSUPPORTED });
export type AskedCompletion = z.output<typeof openaiCompletionBody>;

const inputItem = z
  .looseObject({
    type: z.string().max(100).optional(),
    role: z.string().max(100).optional(),
    content,
  })
  .meta({ title: 'OpenaiInputItem' });
export type InputItem = z.output<typeof inputItem>;

export const openaiResponseBody = z
  .looseObject({
    model,
    input: z
      .union([z.string(), z.array(inputItem).min(1).max(MAX_MESSAGES)])
      .describe('Question, or messages that end with a question.'),
    instructions: z.string().nullish().describe("Wishes for the answer, in addition to the service's rules."),
    stream,
    stream_options: responseStreamOptions
      .nullish()
      .describe('Options of a streamed answer, which change nothing.'),
    store: z
      .boolean()
      .nullish()
      .describe('Whether a conversation is stored, which `previous_response_id` continues. Default: false.'),
    previous_response_id: z
      .string()
      .max(200)
      .nullish()
      .describe('ID of the last stored response of a conversation, which this response continues.'),
    max_output_tokens: outputTokens.describe('Maximum number of tokens that the model writes.'),
    filter,
  })
  .meta({ title: 'OpenaiResponseRequest', description: UNSUPPORTED });
export type AskedResponse = z.output<typeof openaiResponseBody>;
