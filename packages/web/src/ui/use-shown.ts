import { useState } from 'react'

/**
 * What a dialog is about, kept on the screen while it closes.
 *
 * @param target undefined closes the dialog
 * @param onOpen forgets what the last opening left; called while rendering, so it sets states of the caller alone
 * @returns `opening` counts the openings: the key of what begins anew at each, also of one that comes while the last still closes
 */
export const useShown = <T>(target: T | undefined, onOpen?: () => void) => {
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
