import { type ButtonProps, Button as MantineButton } from '@mantine/core'
import { type ComponentProps, useRef } from 'react'
import { flushSync } from 'react-dom'

type Props = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>

/**
 * Mantine's button, with two differences. It keeps the focus while it is loading: Mantine disables it,
 * and the browser then moves the focus to the top of the page. Presses are ignored until the work has
 * ended. And it takes the focus at the click, not when the mouse goes down: what a field shows when it
 * is left would move the button away from under the pointer, and there would be no click.
 */
export const Button = ({ loading = false, disabled = false, onClick, onMouseDown, ...button }: Props) => {
  const press = useRef(onClick)
  press.current = loading ? preventDefault : onClick
  return (
    <MantineButton
      loading={loading}
      onMouseDown={onMouseDown ?? preventDefault}
      onClick={(event) => {
        // Leaving the field may change its value: it is rendered before the press. 0 is a key.
        if (!onMouseDown && event.detail > 0)
          flushSync(() => event.currentTarget.focus({ preventScroll: true }))
        press.current?.(event)
      }}
      renderRoot={(root) => (
        <button {...root} disabled={disabled && !loading} {...(loading && whileLoading)} />
      )}
      {...button}
    />
  )
}

const whileLoading = { 'aria-disabled': true, 'aria-busy': true }

const preventDefault: ComponentProps<'button'>['onClick'] = (event) => event.preventDefault()
