import { describe, expect, it } from '@jest/globals';
import { modelKind } from '../../../lib/text/model-kind.ts';

describe('modelKind', () => {
  it.each([
    ...['text-embedding-3-small', 'text-embedding-ada-002', 'gemini-embedding-001', 'text-embedding-004'],
    ...['nomic-embed-text:latest', 'mxbai-embed-large', 'all-minilm:22m', 'bge-m3', 'embeddinggemma:300m'],
    ...['BAAI/bge-large-en-v1.5', 'Qwen/Qwen3-Embedding-8B', 'nvidia/nv-embed-v2', 'snowflake-arctic-embed2'],
    ...['text-embedding-nomic-embed-text-v1.5', 'mistral-embed', 'qwen3-embedding:0.6b'],
  ])('recognizes %s as an embedding model', (id) => {
    expect(modelKind(id)).toBe('embedding');
  });

  it.each([
    ...['whisper-1', 'tts-1-hd', 'dall-e-3', 'gpt-image-1', 'omni-moderation-latest', 'gpt-4o-transcribe'],
    ...['imagen-4.0-generate-001', 'veo-3.0-generate-001', 'gpt-4o-realtime-preview', 'bge-reranker-v2-m3'],
  ])('recognizes another purpose of %s', (id) => {
    expect(modelKind(id)).toBe('other');
  });

  it.each([
    ...[
      'gpt-4.1-mini',
      'gpt-5',
      'o4-mini',
      'claude-sonnet-4-5',
      'gemini-2.5-flash',
      'llama3.2:3b',
      'qwen3:8b',
    ],
    ...['deepseek/deepseek-r1', 'gemma3', 'a-model', 'my-embedded-assistant', 'gpt-oss:20b', 'tts'],
  ])('treats %s as a chat model, even if unknown', (id) => {
    expect(modelKind(id)).toBe('chat');
  });
});
