import type { EmbeddedVisual } from '../../wire/embed-contract.ts'
import type { Emit, ReportSession } from '../session/report-session.ts'
import { activePage } from '../state/report-state.ts'
import { describePlace } from '../state/selection.ts'

/**
 * Emits the events of a reader's clicks on visuals, swipes on a phone, and the portal's shortcuts:
 * Ctrl+K or ⌘K, and '?'. `pointsOf` returns the data points of the click.
 */
export const watchReader = (
  root: HTMLElement,
  session: Pick<ReportSession, 'state'>,
  emit: Emit,
  pointsOf: () => unknown[],
) => {
  root.addEventListener('click', ({ target }) => {
    const name = target instanceof Element && target.closest<HTMLElement>('.visual')?.dataset.name
    if (!name) return
    const state = session.state()
    const visual = activePage(state).visuals.find((candidate) => candidate.name === name)
    if (visual) emit('visualClicked', { ...describePlace(state, visual), dataPoints: pointsOf() })
  })

  // The portal gets no key events while the focus is in the report. Power BI has no such events, and
  // other embedders ignore them.
  window.addEventListener('keydown', (event) => {
    const shortcut = shortcutOf(event)
    if (!shortcut) return
    event.preventDefault()
    emit(shortcut, {})
  })

  let startPosition: Position | undefined
  root.addEventListener('touchstart', ({ touches }) => {
    startPosition = touches.length === 1 ? position(touches[0]) : undefined
  })
  root.addEventListener('touchend', ({ changedTouches }) => {
    const currentPosition = position(changedTouches[0])
    if (!startPosition || !currentPosition || !isSwipe(startPosition, currentPosition)) return
    emit('swipeStart', { startPosition, currentPosition: startPosition })
    emit('swipeEnd', { startPosition, currentPosition })
  })
}

const shortcutOf = ({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent) => {
  const isCommand = ctrlKey || metaKey
  if (isCommand && !altKey && !shiftKey && key.toLowerCase() === 'k') return 'quickSearch'
  const isTyped = target instanceof Element && target.closest(TEXT_FIELDS) !== null
  // Some keyboards need the shift key or AltGr for it.
  return key === '?' && !isCommand && !isTyped ? 'shortcuts' : undefined
}

const TEXT_FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]'

/** Returns the body of Power BI's `buttonClicked` event. */
export const describeButton = ({ name, title, button }: EmbeddedVisual) => ({
  id: name,
  title,
  type: buttonType(button ?? {}),
  ...(button?.bookmark && { bookmark: button.bookmark }),
})

const buttonType = ({ page, bookmark, resetFilters }: NonNullable<EmbeddedVisual['button']>): string => {
  if (page) return 'PageNavigation'
  if (bookmark) return 'Bookmark'
  return resetFilters ? 'ClearAllSlicers' : 'Action'
}

interface Position {
  x: number
  y: number
}

const position = (touch: Touch | undefined): Position | undefined =>
  touch && { x: Math.round(touch.clientX), y: Math.round(touch.clientY) }

/** More than 60 pixels sideways, and more than twice as far sideways as down. */
const isSwipe = (from: Position, to: Position) =>
  Math.abs(to.x - from.x) > 60 && Math.abs(to.x - from.x) > 2 * Math.abs(to.y - from.y)
