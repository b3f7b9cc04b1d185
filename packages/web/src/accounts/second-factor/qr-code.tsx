import { encode } from 'uqr'
import classes from './second-factor.module.css'

/** Width of the light margin in modules, required by the QR standard. */
const QUIET_ZONE = 4

interface QrCodeProps {
  text: string
  /** The accessible name. */
  label: string
}

/** Black on white even in the dark scheme, because many readers refuse inverted codes. */
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

/** Returns an SVG path with one rectangle per run of dark modules. */
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
