import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createDiskStore } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import { createS3Store } from './s3-store.ts'

/** In the data folder, unless the settings name an S3 bucket. */
export const createFileStore = ({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): FileStore =>
  s3 ? createS3Store(s3) : createDiskStore(join(dataDir, 'attachments'))
