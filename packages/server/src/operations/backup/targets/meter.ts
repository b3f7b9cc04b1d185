import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { Written } from './backup-target.ts'

/** Returns a stream that passes bytes on and measures them. */
export const createMeter = (): { meter: Transform; result: () => Written } => {
  const hash = createHash('sha256')
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { meter, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
