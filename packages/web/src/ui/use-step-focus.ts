import { useEffect, useRef } from 'react'

/**
 * Focus of a pager's 'back' and 'on' buttons: one that
 * becomes disabled passes its focus to the other.
 */
export const useStepFocus = () => {
  const back = useRef<HTMLButtonElement>(null)
  const on = useRef<HTMLButtonElement>(null)
  const pressed = useRef<HTMLButtonElement>(null)
  // Otherwise the browser would reset the focus to the top of the page.
  useEffect(() => {
    if (!pressed.current?.disabled) return
    const other = pressed.current === on.current ? back.current : on.current
    pressed.current = null
    other?.focus()
  })
  return {
    back,
    on,
    press: (button: HTMLButtonElement) => {
      pressed.current = button
    },
  }
}
