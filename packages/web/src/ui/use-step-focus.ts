import { useEffect, useRef } from 'react'

/** Moves the focus between a pager's buttons when the focused one becomes disabled. */
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
