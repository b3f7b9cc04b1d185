import { createHash } from 'node:crypto'
import type { S3mini } from 's3mini'
import type { S3Settings } from '../config/s3-settings.ts'
import { connectionFault, faultSentence } from '../lib/connection-fault.ts'
import { Problem } from '../lib/problem.ts'
import type { FileStore } from './file-store.ts'

/** Milliseconds per call: enough for 15 MB on a slow line, less than the life of a pending file. */
const TIMEOUT = 60_000

/** Stores each file as one object under `attachments/` of the bucket. */
export const createS3Store = (settings: S3Settings, { timeoutMs = TIMEOUT } = {}): FileStore => {
  let loading: Promise<S3mini> | undefined
  const call = async <T>(what: string, work: (s3: S3mini) => Promise<T>): Promise<T> => {
    try {
      loading ??= connectS3(settings, timeoutMs)
      return await work(await loading)
    } catch (error) {
      const fault = connectionFault(error)
      const reason = fault ? faultSentence(fault, `de ${settings.endpoint}`) : shortReason(error)
      throw new Problem('armazenamento_indisponivel', { cause: new Error(`S3 ${what}: ${reason}`) })
    }
  }
  return {
    put: (name, bytes) =>
      call('put', async (s3) => {
        // The store refuses bytes that differ from the digest.
        const digest = createHash('md5').update(bytes).digest('base64')
        await s3.putObject(keyOf(name), bytes, undefined, undefined, {
          'content-md5': digest,
        } as Record<string, string>)
      }),
    get: (name) =>
      call('get', async (s3) => {
        const bytes = await s3.getObjectArrayBuffer(keyOf(name))
        return bytes === null ? undefined : Buffer.from(bytes)
      }),
    delete: (name) =>
      call('delete', async (s3) => {
        await s3.deleteObject(keyOf(name))
      }),
    check: () =>
      call('check', async (s3) => {
        if (!(await s3.bucketExists())) throw new Error(`the bucket ${settings.bucket} cannot be used`)
      }),
  }
}

export const connectS3 = async (
  { endpoint, bucket, ...settings }: S3Settings,
  timeoutMs: number,
): Promise<S3mini> => {
  const { S3mini } = await import('s3mini')
  return new S3mini({
    ...settings,
    endpoint: `${endpoint.replace(/\/$/, '')}/${bucket}`,
    requestAbortTimeout: timeoutMs,
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  })
}

const keyOf = (name: string): string => `attachments/${name}`

/** Status and code only: the whole error repeats the request and its signature. */
export const shortReason = (error: unknown): string => {
  const { message, code, cause } = error as Error & { code?: string; cause?: { code?: string } }
  return [message, code, cause?.code].filter((part) => typeof part === 'string').join(', ')
}
