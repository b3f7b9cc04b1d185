import { type ReactNode, useEffect, useRef } from 'react'
import { ActionButton } from './action-button.tsx'

interface PageStepsProps {
  page: number
  canGoBack: boolean
  canGoOn: boolean
  goTo: (page: number) => void
  /** Text of the second button. */
  next: string
  /** Accessible names, where the texts do not say enough. */
  names?: { back: string; on: string }
  /** The page's number, between the buttons. */
  children: ReactNode
}

/** The buttons to the previous and the next page. */
export const PageSteps = (props: PageStepsProps) => {
  const { page, canGoBack, canGoOn, goTo, next, names, children } = props
  const back = useRef<HTMLButtonElement>(null)
  const on = useRef<HTMLButtonElement>(null)
  const pressed = useRef<HTMLButtonElement>(null)
  // When the focused button becomes disabled, the browser would reset the focus to the top of the
  // page.
  useEffect(() => {
    if (!pressed.current?.disabled) return
    const other = pressed.current === on.current ? back.current : on.current
    pressed.current = null
    other?.focus()
  })
  const step = (button: HTMLButtonElement, to: number) => {
    pressed.current = button
    goTo(to)
  }
  return (
    <>
      <ActionButton
        ref={back}
        label="Anterior"
        aria-label={names?.back}
        disabled={!canGoBack}
        onClick={(event) => step(event.currentTarget, page - 1)}
      />
      {children}
      <ActionButton
        ref={on}
        label={next}
        aria-label={names?.on}
        disabled={!canGoOn}
        onClick={(event) => step(event.currentTarget, page + 1)}
      />
    </>
  )
}
