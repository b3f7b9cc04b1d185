import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UploadPart } from 's3mini'
import { CommandError } from '../../../platform/commands/command.ts'
import type { BackupPlace } from '../../../platform/config/backup-settings.ts'
import { connectS3, shortReason } from '../../../platform/files/s3-store.ts'
import { connectionFault, faultSentence } from '../../../platform/lib/connection-fault.ts'
import type { BackupTarget } from './backup-target.ts'
import { createMeter } from './meter.ts'

/** Bytes per part: S3 allows 10,000 parts, so 150 GB per backup. Memory holds one part. */
const PART = 16 * 2 ** 20
/** Milliseconds per call. */
const TIMEOUT = 10 * 60_000
/** Milliseconds for a whole download. */
const DOWNLOAD_TIMEOUT = 12 * 3_600_000
const attempts = 4

/** Stores one object per backup. A multipart upload becomes visible only when it is complete. */
export const createS3Target = ({ settings, prefix }: BackupPlace & { kind: 's3' }): BackupTarget => {
  const connected = connectS3(settings, TIMEOUT)
  const downloading = connectS3(settings, DOWNLOAD_TIMEOUT)
  const keyOf = (name: string) => `${prefix}${name}`
  const call = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const fault = connectionFault(error)
      if (fault) throw new CommandError(`${faultSentence(fault, `de ${settings.endpoint}`)}.`)
      throw new Error(`S3 ${what}: ${shortReason(error)}`)
    }
  }
  return {
    place: `s3://${settings.bucket}/${prefix}`,
    freeBytes: async () => undefined,
    write: async (name, bytes) => {
      const s3 = await connected
      const key = keyOf(name)
      const uploadId = await call('upload', () => s3.getMultipartUploadId(key, 'application/octet-stream'))
      const parts: UploadPart[] = []
      const { meter, result } = createMeter()
      try {
        await pipeline(bytes, meter, async (measured: AsyncIterable<Buffer>) => {
          for await (const part of partsOf(measured)) {
            parts.push(
              await call('part', () => retried(() => s3.uploadPart(key, uploadId, part, parts.length + 1))),
            )
          }
        })
        await call('complete', () => s3.completeMultipartUpload(key, uploadId, parts))
      } catch (error) {
        await s3.abortMultipartUpload(key, uploadId).catch(() => {})
        throw error
      }
      return result()
    },
    read: async (name) => {
      const response = await call('get', async () => (await downloading).getObjectResponse(keyOf(name)))
      if (!response?.body) throw new Error(`S3 get: ${name} is missing`)
      return Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    },
    commit: async () => {},
    remove: async (name) => {
      await call('delete', async () => (await connected).deleteObject(keyOf(name)))
    },
    list: async () => {
      const objects = await call('list', async () => (await connected).listObjects('/', keyOf('bi-manager-')))
      if (!objects) throw new Error(`S3 list: the bucket ${settings.bucket} is missing`)
      return objects.map(({ Key }) => Key.slice(prefix.length)).filter((name) => !name.includes('/'))
    },
  }
}

async function* partsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    length += chunk.length
    if (length < PART) continue
    yield Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}

const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000 * 2 ** attempt))
    }
  }
}
