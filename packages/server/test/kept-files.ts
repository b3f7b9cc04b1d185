import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from './test-app.ts'

/** Names of the files that a folder of attachments holds, without its own mark. */
export const storedFiles = async (dataDir: string): Promise<string[]> =>
  (await readdir(join(dataDir, 'attachments')).catch(() => [])).filter((name) => !name.startsWith('.'))

/** All that there is of attachments: files in the data folder, rows, names of files on their way. */
export const keptOf = async ({ db, dataDir }: Pick<TestApp, 'db' | 'dataDir'>) => {
  const count = async (table: 'anexo' | 'arquivoPendente') =>
    (await db.selectFrom(table).selectAll().execute()).length
  return {
    files: (await storedFiles(dataDir)).length,
    rows: await count('anexo'),
    pending: await count('arquivoPendente'),
  }
}

export const NOTHING = { files: 0, rows: 0, pending: 0 }
