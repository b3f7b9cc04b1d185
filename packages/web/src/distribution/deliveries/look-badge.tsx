import { Badge } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

export interface Look {
  text: string
  icon: Icon
  className?: string | undefined
}

/** A state in words, with its icon. */
export const LookBadge = ({ text, icon: IconOf, className }: Look) => (
  <Badge
    {...(className ? { className } : { variant: 'default' })}
    leftSection={<IconOf size={14} aria-hidden />}
  >
    {text}
  </Badge>
)
