import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publish } from '@bi-manager/reports/authoring/publish/publish'

/** Publishes a report of a running service again without its last page. */
export const publishWithoutLastPage = async (dataDir: string, reportId: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'bi-manager-publishing-'))
  try {
    const [workspace, file] = await whereIs(dataDir, reportId)
    await cp(join(dataDir, 'workspaces', workspace), folder, { recursive: true })
    const report = JSON.parse(await readFile(join(folder, file), 'utf8'))
    const gone = report.pages.pop().name
    for (const page of report.pages) takeOutLinks(page, gone)
    report.bookmarks = report.bookmarks?.filter(({ page }: { page: string }) => page !== gone)
    await writeFile(join(folder, file), JSON.stringify(report))
    const { faults } = await publish({ dataDir, memoryMegabytes: 256 }, folder)
    if (faults.length > 0) throw new Error(faults.join('\n'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface PageText {
  visuals: { name: string; button?: { page?: string } }[]
  phone?: { visual: string }[]
}

const takeOutLinks = (page: PageText, gone: string) => {
  page.visuals = page.visuals.filter(({ button }) => button?.page !== gone)
  const names = page.visuals.map(({ name }) => name)
  if (page.phone) page.phone = page.phone.filter(({ visual }) => names.includes(visual))
}

const whereIs = async (dataDir: string, reportId: string): Promise<[workspace: string, file: string]> => {
  const root = join(dataDir, 'workspaces')
  for (const workspace of await readdir(root)) {
    for (const file of await readdir(join(root, workspace))) {
      const { id } = JSON.parse(await readFile(join(root, workspace, file), 'utf8'))
      if (id === reportId) return [workspace, file]
    }
  }
  throw new Error(`no report ${reportId} is published in ${dataDir}`)
}
