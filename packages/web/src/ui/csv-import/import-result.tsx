import { Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { countText } from '../data-table/page-range.ts'
import shared from '../shared.module.css'

interface ImportResultProps {
  count: number
  people: readonly [singular: string, plural: string]
  /** Further information. */
  children?: ReactNode
  buttons: ReactNode
}

export const ImportResult = ({ count, people, children, buttons }: ImportResultProps) => (
  <Stack align="center">
    <IconCircleCheck size={44} stroke={1.4} aria-hidden className={shared.accent} />
    <Text role="status" fw={600} fz="lg">
      {countText(count, false, people)} {count === 1 ? 'importado!' : 'importados!'}
    </Text>
    {children}
    <Group gap="xs" justify="center">
      {buttons}
    </Group>
  </Stack>
)
