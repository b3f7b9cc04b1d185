import type { Emit, ReportSession } from '../session/report-session.ts'
import type { EmbedProblem } from '../state/problem.ts'
import { asProblem } from '../state/problem.ts'
import { activePage } from '../state/report-state.ts'
import { type DataPoint, describePick, readPick } from '../state/selection.ts'
import type { ViewActions } from '../view/page/report-view.ts'
import { describeButton } from './report-events.ts'

/** Creates the actions of the reader on the screen. `refuse` shows why a choice was refused. */
export function createReaderActions(
  session: () => ReportSession,
  emit: Emit,
  refuse: (problem: EmbedProblem) => void,
) {
  /** The data points picked by the current click, for the `visualClicked` event that follows. */
  let clicked: DataPoint[] = []

  /** Shows why a choice changed nothing: too many filters, or a page that no longer exists. */
  const told =
    <Given extends unknown[]>(choose: (...given: Given) => void) =>
    (...given: Given) => {
      try {
        choose(...given)
      } catch (cause) {
        refuse(asProblem(cause))
      }
    }

  const actions: ViewActions = {
    choosePage: told((name) => session().setPage(name)),
    changeFilters: told((scope, filters) => session().setFilters(scope, filters)),
    loadValues: (request, signal) => session().values(request, signal),
    retry: (visual) => session().retry(visual),
    applyBookmark: told((name) => session().applyBookmark(name)),
    picked: told((visual, data, row) => {
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
    clearPick: told(() => {
      const { selection } = session().state()
      const visual = activePage(session().state()).visuals.find(({ name }) => name === selection?.visual)
      session().select(undefined)
      if (visual) emit('dataSelected', describePick(session().state(), visual, []))
    }),
    drillTo: told((visual, path) => session().drillTo(visual.name, path)),
    slice: told((visual, filters) =>
      session().setSlicer({ page: session().state().activePage, visual: visual.name }, filters),
    ),
    press: told((visual) => {
      emit('buttonClicked', describeButton(visual))
      const { page, bookmark, resetFilters } = visual.button ?? {}
      if (page) session().setPage(page)
      if (bookmark) session().applyBookmark(bookmark)
      if (resetFilters) session().resetFilters()
    }),
  }
  return { actions, clicked: () => clicked }
}
