import type { Emit, ReportSession } from '../session/report-session.ts'
import { captionOf } from '../state/caption.ts'
import type { EmbedProblem } from '../state/problem.ts'
import { asProblem } from '../state/problem.ts'
import { activePage } from '../state/report-state.ts'
import { type DataPoint, describeSelection, readPick } from '../state/selection.ts'
import type { ViewActions } from '../view/page/report-view.ts'
import { describeButton } from './report-events.ts'

/** Creates what the view calls when the reader acts. `refuse` shows why a choice was refused. */
export const createReaderActions = (
  session: () => ReportSession,
  emit: Emit,
  refuse: (problem: EmbedProblem) => void,
) => {
  /** The data points picked by the current click, for the `visualClicked` event that follows. */
  let clicked: DataPoint[] = []

  /** Wraps an action that may be refused: too many filters, or a page that no longer exists. */
  const reportErrors =
    <Arguments extends unknown[]>(choose: (...parameters: Arguments) => void) =>
    (...parameters: Arguments) => {
      try {
        choose(...parameters)
      } catch (cause) {
        refuse(asProblem(cause))
      }
    }

  const actions: ViewActions = {
    choosePage: reportErrors((name) => session().setPage(name)),
    changeFilters: reportErrors((scope, filters) => session().setFilters(scope, filters)),
    loadValues: (request, signal) => session().values(request, signal),
    retry: (visual) => session().retry(visual),
    applyBookmark: reportErrors((name) => session().applyBookmark(name)),
    picked: reportErrors((visual, data, row) => {
      const pick = readPick(session().state(), visual, data, row)
      if (!pick) return
      if ('opens' in pick) return session().drillTo(visual.name, pick.opens)
      session().select(pick.selects)
      clicked = pick.points
      // A pick by keyboard has no click event: its points must not appear in the next one.
      setTimeout(() => {
        clicked = []
      })
      emit('dataSelected', pick.body)
    }),
    clearPick: reportErrors(() => {
      const { selection } = session().state()
      const visual = activePage(session().state()).visuals.find(({ name }) => name === selection?.visual)
      session().select(undefined)
      if (visual) emit('dataSelected', describeSelection(session().state(), visual, []))
    }),
    drillTo: reportErrors((visual, path) => session().drillTo(visual.name, path)),
    slice: reportErrors((visual, filters) =>
      session().setSlicer({ page: session().state().activePage, visual: visual.name }, filters),
    ),
    caption: () => captionOf(session().state(), session().dataTime()),
    // The body of Power BI's `commandTriggered` event.
    command: (visual, command) =>
      emit('commandTriggered', { command, ...describeSelection(session().state(), visual, []) }),
    press: reportErrors((visual) => {
      emit('buttonClicked', describeButton(visual))
      const { page, bookmark, resetFilters } = visual.button ?? {}
      if (page) session().setPage(page)
      if (bookmark) session().applyBookmark(bookmark)
      if (resetFilters) session().resetFilters()
    }),
  }
  return { actions, clicked: () => clicked }
}
