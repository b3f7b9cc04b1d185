import { type BrowserExport, browserExportsApi } from '@bi-manager/contract'
import { call } from '../../../lib/api/api.ts'
import { saveFile } from '../../../lib/browser/save-file.ts'
import { serverNow } from '../../../lib/clock/server-clock.ts'
import type { PageRows, ReadPageOptions } from '../frame/read-page.ts'
import type { AboutFile } from './page-file.ts'

export type ReadPage = (options: ReadPageOptions) => Promise<PageRows>

export interface BrowserExportInput {
  idRelatorio: number
  asked: BrowserExport
  about: Omit<AboutFile, 'created'>
  /** Without its extension. */
  fileName: string
  read: ReadPage
}

/**
 * Saves a spreadsheet of a report that Microsoft shows: the portal permits and audits it, the
 * frame gives the rows, and the browser writes the file.
 * @returns the titles of the visuals that are not in it
 */
export const exportInBrowser = async (
  { idRelatorio, asked, about, fileName, read }: BrowserExportInput,
  signal: AbortSignal,
  onProgress: (percent: number) => void,
): Promise<string[]> => {
  await call(browserExportsApi.record, { params: { id: idRelatorio }, body: asked }, { signal })
  const { pagina: page, visual } = asked
  const [rows, { pageFile }] = await Promise.all([
    read({ page, visual, signal, onProgress }),
    import('./page-file.ts'),
  ])
  const { file, refused } = pageFile(rows, { ...about, created: serverNow() })
  signal.throwIfAborted()
  saveFile(file, `${fileName}.xlsx`)
  return refused
}
