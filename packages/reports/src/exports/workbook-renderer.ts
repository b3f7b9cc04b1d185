import type { FastifyInstance } from 'fastify'
import { initialState } from '../embed-page/session/load-options.ts'
import { loadPageData, type PageResult } from '../embed-page/session/page-data.ts'
import { EmbedProblem } from '../embed-page/state/problem.ts'
import { findPage, findVisual } from '../embed-page/state/report-state.ts'
import type { PageData } from '../wire/embed-contract.ts'
import { createContentNotes } from './content-facts.ts'
import { LONGEST_EXPORT, type RenderExport, type SignExportToken } from './draw-export.ts'
import { ExportFault } from './export-fault.ts'
import { createInjectedApi } from './injected-api.ts'
import { collectWorkbook } from './workbook/describe-workbook.ts'
import { writeInThread } from './workbook/write-in-thread.ts'

/**
 * Returns a renderer of spreadsheet files. The rows come from the embed page's own API, with an
 * embed token for the identities of the export: what the reader's screen would show.
 */
export const createWorkbookRenderer = (
  app: FastifyInstance,
  signToken: SignExportToken,
  now: () => number,
): RenderExport => {
  const api = createInjectedApi(app)

  const render: RenderExport = async (task, signal, progress) => {
    const token = signToken(task, LONGEST_EXPORT)
    const report = await api.report(task.reportId, token, signal)
    let dataTime: string | undefined
    const timed = {
      pageData: async (...question: Parameters<typeof api.pageData>) => {
        const answer = await api.pageData(...question)
        dataTime ??= answer.dataTime
        return answer
      },
    }
    const workbook = collectWorkbook(report)
    const notes = createContentNotes()
    for (const [index, { page, visual, bookmark, filters }] of task.sheets.entries()) {
      const state = initialState(report, { filters, pageName: page, ...(bookmark && { bookmark }) })
      const only = visual === undefined ? undefined : [findVisual(findPage(state, page), visual).name]
      const result = await loadPageData(timed, token, state, signal, only)
      workbook.add({ state, result })
      notes.note({ page }, answersOf(result))
      progress(index + 1)
    }
    const about = { person: task.person, dataTime, created: now() }
    const bytes = await writeInThread(workbook.describe(about), signal)
    return { bytes, type: SPREADSHEET, extension: '.xlsx', content: notes.facts() }
  }

  return async (...given) => {
    try {
      return await render(...given)
    } catch (cause) {
      // The codes and sentences are those that the reader would see.
      if (cause instanceof EmbedProblem) throw new ExportFault(cause.body.message, cause.message)
      throw cause
    }
  }
}

/** Separates the rows of a page from the failures of its visuals. */
const answersOf = (result: PageResult): PageData => {
  const all = Object.entries(result)
  const failures = all.flatMap(([name, data]) =>
    data instanceof EmbedProblem ? [[name, { code: data.body.message, message: data.message }] as const] : [],
  )
  const visuals = all.flatMap(([name, data]) => (data instanceof EmbedProblem ? [] : [[name, data] as const]))
  return { visuals: Object.fromEntries(visuals), failures: Object.fromEntries(failures) }
}

const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
