import { encode } from 'uqr'
import classes from './second-factor.module.css'

/** The light modules around the code that readers need, by its standard. */
const QUIET_ZONE = 4

interface QrCodeProps {
  text: string
  /** What it is, for who cannot see it. */
  label: string
}

/** Always black on white, in the dark scheme too: many readers take no inverted code. */
export const QrCode = ({ text, label }: QrCodeProps) => {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      className={classes.qr}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={darkModules(data)} fill="#000" />
    </svg>
  )
}

/** A path of one rectangle a run of dark modules. */
export const darkModules = (rows: boolean[][]): string => {
  const runs: string[] = []
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      const start = x
      while (row[x]) x += 1
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1H${start}z`)
    }
  }
  return runs.join('')
}
