import { type ButtonProps, Button as MantineButton } from '@mantine/core'
import type { ComponentProps } from 'react'

type Props = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>

/**
 * Mantine's button, which keeps the focus while it is loading: Mantine disables it, and the browser
 * then moves the focus to the top of the page. Presses are ignored until the work has ended.
 */
export const Button = ({ loading = false, disabled = false, onClick, ...button }: Props) => (
  <MantineButton
    loading={loading}
    onClick={loading ? preventSubmit : onClick}
    renderRoot={(root) => <button {...root} disabled={disabled && !loading} {...(loading && whileLoading)} />}
    {...button}
  />
)

const whileLoading = { 'aria-disabled': true, 'aria-busy': true }

const preventSubmit: ComponentProps<'button'>['onClick'] = (event) => event.preventDefault()
