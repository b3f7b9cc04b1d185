import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/open-database.ts'
import { createDiskStore, type FolderMemory } from './disk-store.ts'
import type { FileStore } from './file-store.ts'
import { createS3Store } from './s3-store.ts'

/** Creates the store: in the data folder, unless the settings name an S3 bucket. */
export const createFileStore = ({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>, db: Db): FileStore =>
  s3 ? createS3Store(s3) : createDiskStore(join(dataDir, 'attachments'), memoryIn(db))

/** Stores the folder's mark in the database, which moves together with the attachments' rows. */
const memoryIn = (db: Db): FolderMemory => {
  const recall = async () => (await db.selectFrom('pastaAnexos').select('marca').executeTakeFirst())?.marca
  return {
    recall,
    note: async (marca) => {
      await db
        .insertInto('pastaAnexos')
        .values({ marca })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return (await recall()) ?? marca
    },
  }
}
