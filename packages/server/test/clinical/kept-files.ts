import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestApp } from '../test-app.ts'

/** Returns the names of the files in the attachments folder, without its mark. */
export const storedFiles = async (dataDir: string): Promise<string[]> =>
  (await readdir(join(dataDir, 'attachments')).catch(() => [])).filter((name) => !name.startsWith('.'))

/** Counts what is stored of attachments: files, rows, names of pending files. */
export const countStoredAttachments = async ({ db, dataDir }: Pick<TestApp, 'db' | 'dataDir'>) => {
  const count = async (table: 'anexo' | 'arquivoPendente') =>
    (await db.selectFrom(table).selectAll().execute()).length
  return {
    files: (await storedFiles(dataDir)).length,
    rows: await count('anexo'),
    pending: await count('arquivoPendente'),
  }
}

export const NOTHING = { files: 0, rows: 0, pending: 0 }
