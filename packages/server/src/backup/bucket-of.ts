import type { S3Settings } from '../files/s3-store.ts'

/** Returns the address of a bucket without credentials; null when files are on disk. */
export const bucketOf = (s3: Pick<S3Settings, 'endpoint' | 'bucket'> | undefined): string | null =>
  s3 ? `${s3.endpoint}/${s3.bucket}` : null
