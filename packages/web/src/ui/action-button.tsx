import { type ButtonProps, Button as LinkButton } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { Button } from './button.tsx'

type Look = Omit<ButtonProps, 'children' | 'leftSection'>

interface ActionButtonProps extends Look, Omit<ComponentProps<'button'>, keyof ButtonProps> {
  label: string
  icon?: Icon
  /** Link target; exclusive with `onClick`. */
  to?: string
  /** The main action of its page or dialog. */
  isMain?: boolean
}

/** A button, or a link that looks like one, with a text and perhaps an icon. */
export const ActionButton = ({ label, icon: IconOf, to, isMain = false, ...button }: ActionButtonProps) => {
  const shown: ButtonProps = {
    variant: isMain ? 'filled' : 'default',
    leftSection: IconOf && <IconOf size={18} aria-hidden />,
    children: label,
    ...button,
  }
  return to ? <LinkButton component={Link} to={to} {...shown} /> : <Button {...shown} />
}
