import { Readable } from 'node:stream'

/**
 * Reads the beginning of a stream.
 * @returns the first bytes, fewer at the end of the stream, and the whole stream, with them
 */
export const peek = async (
  chunks: AsyncGenerator<Uint8Array, void>,
  bytes: number,
): Promise<{ beginning: Buffer; whole: Readable }> => {
  const read: Uint8Array[] = []
  let size = 0
  while (size < bytes) {
    const { done, value } = await chunks.next()
    if (done) break
    read.push(value)
    size += value.byteLength
  }
  const beginning = Buffer.concat(read)
  const all = async function* () {
    yield beginning
    yield* chunks
  }
  const whole = Readable.from(all(), { objectMode: false })
  // A stream that is destroyed before it is read never starts its generator.
  // Its failure has no reader any more.
  whole.once('close', () => void chunks.return().catch(() => {}))
  return { beginning, whole }
}
