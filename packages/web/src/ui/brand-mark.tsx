import { brandLogo } from '../lib/text/brand.ts'

interface BrandMarkProps {
  /** Height in px; the product's own logo is a square. */
  size: number
  className?: string
}

/** The logo of the company, or of the product. Decorative: the name is shown next to it. */
export const BrandMark = ({ size, className }: BrandMarkProps) => (
  <img src={brandLogo} alt="" width={size} height={size} className={className} />
)
