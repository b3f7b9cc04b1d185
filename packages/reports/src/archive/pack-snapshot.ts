import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createTarPacker } from 'modern-tar'
import type { Snapshot } from './take-snapshot.ts'

/** Returns a tar of the snapshot, made while it is read: memory does not grow with the data. */
export const packSnapshot = ({ folder, files }: Pick<Snapshot, 'folder' | 'files'>): Readable => {
  const { readable, controller } = createTarPacker()
  const pack = async () => {
    for (const { path, bytes: size } of files) {
      const writer = controller.add({ name: path, size, mode: 0o600, mtime: new Date() }).getWriter()
      for await (const chunk of chunksOf(join(folder, path), size)) await writer.write(chunk)
      await writer.close()
    }
    controller.finalize()
  }
  // The error reaches the reader of the stream.
  pack().catch((error: unknown) => controller.error(error))
  return Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0])
}

/** The size precedes the bytes: a file that shrinks while it is sent ends the archive. */
async function* chunksOf(path: string, size: number): AsyncGenerator<Buffer, void> {
  const file = await open(path)
  try {
    let bytes = 0
    if (size > 0) {
      for await (const chunk of file.createReadStream({ end: size - 1, autoClose: false })) {
        bytes += chunk.length
        yield chunk as Buffer
      }
    }
    if (bytes !== size) throw new Error(`${path} was changed while it was sent`)
  } finally {
    await file.close()
  }
}
