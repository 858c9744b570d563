/** Not translated, because it's a name. */
export const PRODUCT = 'Workspace Research';

/** The logo and the name, for pages where nothing else identifies the product: the first page, and sign-in. */
export function Brand({ isLarge = false }: { isLarge?: boolean }) {
  return (
    <p
      translate="no"
      className={`flex items-center gap-2.5 font-semibold tracking-tight ${isLarge ? 'text-lg' : 'text-base'}`}
    >
      <Mark size={isLarge ? 36 : 26} />
      {PRODUCT}
    </p>
  );
}

/** The drawing in icon.svg, in the theme's colors. */
function Mark({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 9h9M9 14h14M9 19h7"
        className="stroke-on-accent"
        strokeWidth="2.4"
        strokeLinecap="round"
        fill="none"
      />
      <circle cx="21.5" cy="20.5" r="3.5" fill="none" className="stroke-mark" strokeWidth="2.4" />
    </svg>
  );
}
