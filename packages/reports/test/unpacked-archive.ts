import type { Readable } from 'node:stream'
import { createTarDecoder } from 'modern-tar'

/** Reads an archive whole: path → content. @throws Error when it is incomplete */
export const unpackedArchive = async (bytes: ReadableStream<Uint8Array> | Readable) => {
  const found: Record<string, string> = {}
  const source = ReadableStream.from(bytes as AsyncIterable<Uint8Array>) as ReadableStream<Uint8Array>
  for await (const { header, body } of source.pipeThrough(createTarDecoder({ strict: true })))
    found[header.name] = await new Response(body).text()
  return found
}
