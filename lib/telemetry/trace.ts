/** Attributes of a span: names of operations, IDs, sizes, numbers. Never a path, a question, a text, or a key. */
export type TraceFields = Record<string, string | number | boolean | undefined>;

/**
 * The role of a span: answering a request, sending a message, handling a message, calling an external service, or an
 * inner step.
 */
export type SpanKind = 'server' | 'producer' | 'consumer' | 'client' | 'internal';

export interface SpanOptions {
  kind?: SpanKind;
  fields?: TraceFields;
  /**
   * W3C traceparents of the spans in other processes that led to this one. It continues the first one's trace
   * and is linked to the others.
   */
  parents?: string[];
}

export interface Span {
  /** W3C traceparent, for work that continues elsewhere. */
  traceparent: string;
  /** Runs work whose own spans become children of this one. */
  run<Result>(work: () => Result): Result;
  /** Ends the span. Records only the name of an error, because its message may quote content. */
  end(fields?: TraceFields, error?: unknown): void;
}

export interface Tracer {
  start(name: string, options: SpanOptions): Span;
}

let tracer: Tracer | undefined;

/** Starts tracing in this process. Until then, tracing costs one comparison. */
export function useTracer(given: Tracer): void {
  tracer = given;
}

export function isTraced(): boolean {
  return tracer !== undefined;
}

/** Starts a span for work that isn't a single call; the caller ends it. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.start(name, options);
}

/** Runs the work as a span. `tell` adds attributes that are known only at the end. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
  tell: (result: Result) => TraceFields = () => ({}),
): Promise<Result> {
  const span = startSpan(name, options);
  if (span === undefined) return work();
  try {
    const result = await span.run(work);
    span.end(tell(result));
    return result;
  } catch (error) {
    span.end({}, error);
    throw error;
  }
}
