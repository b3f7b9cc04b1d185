export interface S3Settings {
  /** The address without the bucket: `https://s3.exemplo.com.br`. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Returns the address of a bucket without credentials; null when files are on disk. */
export const bucketOf = (s3: Pick<S3Settings, 'endpoint' | 'bucket'> | undefined): string | null =>
  s3 ? `${s3.endpoint}/${s3.bucket}` : null
