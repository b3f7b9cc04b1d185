import type { Frame, Page } from 'playwright-core'
import { inject } from 'vitest'
import { waitForRendered } from '../browser/report-frame.ts'
import { type Size, type Visitor, visit } from '../browser/visitor.ts'
import { goWithin, openAndAwaitView } from '../browser/within-portal.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

export type ReportReaders = ReturnType<typeof createReportReaders>

/** Administrators who open reports from another portal page; one per size and file. */
export const createReportReaders = () => {
  const portal = inject('portal')
  const visitors: Partial<Record<Size, Visitor>> = {}

  const enter = async (size: Size): Promise<Visitor> => {
    const visitor = await visit({ size })
    await visitor.enter(people.admin, '/privacidade')
    return visitor
  }
  return {
    open: async (size: Size, name: string): Promise<{ page: Page; frame: Frame }> => {
      const { menu } = await signedInClient(portal, people.admin)
      const report = reportsOf(await menu()).find((candidate) => candidate.name === name)
      if (!report) throw new Error(`the demo has no report named ${name}`)
      const visitor = visitors[size] ?? (await enter(size))
      visitors[size] = visitor
      const { page } = visitor
      await goWithin(page, '/privacidade')
      await page.getByRole('heading', { name: 'Aviso de privacidade', exact: true }).waitFor()
      await openAndAwaitView(page, () => goWithin(page, report.path))
      return { page, frame: await waitForRendered(page) }
    },
    /** Fails if a browser reported an error. */
    close: async (): Promise<void> => {
      for (const visitor of Object.values(visitors)) await visitor.close()
    },
  }
}
