interface BrandMarkProps {
  /** Side length in px. */
  size: number
  className?: string
}

/** The product's logo, as in public/favicon.svg. Decorative: the name is shown next to it. */
export const BrandMark = ({ size, className }: BrandMarkProps) => (
  <svg viewBox="0 0 32 32" width={size} height={size} className={className} aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0b5c58" />
    <rect x="7" y="17" width="4.5" height="8" rx="1.6" fill="#8fd3cb" />
    <rect x="13.75" y="12" width="4.5" height="13" rx="1.6" fill="#d8f1ee" />
    <rect x="20.5" y="7" width="4.5" height="18" rx="1.6" fill="#ffffff" />
    <circle cx="9.25" cy="11" r="2.4" fill="#f4b04f" />
  </svg>
)
