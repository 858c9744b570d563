import {
  type PageViewport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  type RenderTask,
  TextLayer,
} from 'pdfjs-dist';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findQuote, type QuoteSpan } from './find-quote.ts';

interface Props {
  pdf: PDFDocumentProxy;
  number: number;
  scale: number;
  /** The assumed size until the real one is known, so that nothing moves when it arrives. */
  size: { width: number; height: number };
  quote: string | undefined;
  /**
   * Called after each rendering with the quote's distance from the top of the page, in the page's units.
   * Undefined if the quote isn't on the page.
   */
  onSought: (y: number | undefined) => void;
}

/**
 * Maximum pixels of an image that browsers render. At three times its size on a high-density screen, a page
 * would have more.
 */
const MAX_PIXELS = 16_000_000;

/** A page: its image, the marks, and on top of both its text, for selection and screen readers. */
export function PdfPage({ pdf, number, scale, size, quote, onSought }: Props) {
  const { t } = useTranslation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [page, setPage] = useState<PDFPageProxy>();
  const [marks, setMarks] = useState<DOMRect[]>([]);
  const viewport = page?.getViewport({ scale });
  const { width, height } = viewport ?? { width: size.width * scale, height: size.height * scale };
  useEffect(() => {
    let isGone = false;
    pdf.getPage(number).then(
      (read) => isGone || setPage(read),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [pdf, number]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: onSought is called for each drawing
  useEffect(() => {
    if (page === undefined || canvas.current === null || text.current === null) return;
    const drawing = drawPage(page, page.getViewport({ scale }), canvas.current, text.current);
    drawing.text.then(
      (layer) => {
        if (layer === undefined || text.current === null) return;
        const spans = quote === undefined ? [] : findQuote(layer.textContentItemsStr, quote);
        const boxes = boxesOf(spans, layer.textDivs, text.current);
        setMarks(boxes);
        if (quote !== undefined) onSought(boxes[0] && (boxes[0].y + boxes[0].height / 2) / scale);
      },
      () => {},
    );
    return drawing.cancel;
  }, [page, scale, quote]);
  return (
    <div
      data-page={number}
      className="pdf-page relative mx-auto shadow-raised"
      style={{ width, height, ['--total-scale-factor' as string]: scale }}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      {marks.map((box, place) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: all are created again
          key={place}
          data-quote-mark
          className="pdf-mark"
          style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
        />
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: a page is no fieldset */}
      <div ref={text} className="pdf-text" role="group" aria-label={t('files.pdf.pageNumber', { number })} />
    </div>
  );
}

function drawPage(page: PDFPageProxy, viewport: PageViewport, canvas: HTMLCanvasElement, text: HTMLElement) {
  const { width, height } = viewport;
  const sharp = Math.min(devicePixelRatio || 1, Math.sqrt(MAX_PIXELS / (width * height)));
  canvas.width = Math.floor(width * sharp);
  canvas.height = Math.floor(height * sharp);
  const drawing: RenderTask = page.render({ canvas, viewport, transform: [sharp, 0, 0, sharp, 0, 0] });
  drawing.promise.catch(() => {}); // canceled, or a damaged page; the rendered part stays
  let layer: TextLayer | undefined;
  let isGone = false;
  const showText = async () => {
    const content = await page.getTextContent();
    if (isGone) return undefined;
    text.replaceChildren();
    layer = new TextLayer({ textContentSource: content, container: text, viewport });
    await layer.render();
    return layer;
  };
  const cancel = () => {
    isGone = true;
    drawing.cancel();
    layer?.cancel();
  };
  return { text: showText(), cancel };
}

/** Returns the positions of spans on the page. */
function boxesOf(spans: QuoteSpan[], texts: HTMLElement[], page: HTMLElement): DOMRect[] {
  const { x, y } = page.getBoundingClientRect();
  return spans.flatMap(({ item, start, end }) => {
    const node = texts[item]?.firstChild;
    if (!node) return [];
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    return [...range.getClientRects()].map((box) => new DOMRect(box.x - x, box.y - y, box.width, box.height));
  });
}
