import { readFileSync } from 'node:fs'

const SIGNATURE = '89504e470d0a1a0a'

/** Returns the size in pixels that a PNG file states. */
export const pngSize = (path: string): { width: number; height: number } => {
  const bytes = readFileSync(path)
  if (bytes.toString('hex', 0, 8) !== SIGNATURE) throw new Error(`${path} is not a PNG.`)
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}
