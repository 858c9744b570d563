/** Formats a cost. Small amounts keep their significant digits. */
export function formatCost(usd: number, language: string): string {
  const maximumFractionDigits = usd > 0 && usd < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits,
  }).format(usd);
}
