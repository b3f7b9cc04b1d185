import { useState } from 'react'

/**
 * Keeps a dialog's target rendered while the dialog closes.
 *
 * @param target undefined closes the dialog
 * @param onOpen resets the caller's state of the previous opening; runs during render
 * @returns `opening` counts the openings: a React key that remounts the content at each one
 */
export const useDialogTarget = <T>(target: T | undefined, onOpen?: () => void) => {
  const isOpen = target !== undefined
  const [state, setState] = useState({ shown: target, isOpen, opening: 0 })
  if (isOpen !== state.isOpen || (isOpen && target !== state.shown)) {
    const isOpening = isOpen && !state.isOpen
    setState({
      shown: target ?? state.shown,
      isOpen,
      opening: isOpening ? state.opening + 1 : state.opening,
    })
    if (isOpening) onOpen?.()
  }
  return { shown: target ?? state.shown, opening: state.opening }
}
