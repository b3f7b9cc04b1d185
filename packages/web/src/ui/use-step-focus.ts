import { useEffect, useRef } from 'react'

/** The buttons 'back' and 'on' of something with pages: one that is disabled under the finger gives its focus to the other. */
export const useStepFocus = () => {
  const back = useRef<HTMLButtonElement>(null)
  const on = useRef<HTMLButtonElement>(null)
  const pressed = useRef<HTMLButtonElement>(null)
  // Otherwise the focus would drop to the top of the page.
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
