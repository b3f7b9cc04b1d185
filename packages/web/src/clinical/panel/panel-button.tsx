import { ActionIcon, Button } from '@mantine/core'
import { IconClipboardHeart } from '@tabler/icons-react'
import type { Ref } from 'react'
import type { ClinicalPanelState } from './panel-state.ts'

interface PanelButtonProps {
  panel: ClinicalPanelState
  isPhone: boolean
  ref: Ref<HTMLButtonElement>
}

/** The 'Prontuários' button in the top bar of a report page: opens and minimises the panel. */
export const PanelButton = ({ panel, isPhone, ref }: PanelButtonProps) => {
  const isOpen = panel.view === 'open'
  const common = {
    ref,
    color: 'gray',
    'aria-expanded': isOpen,
    onClick: isOpen ? panel.minimise : panel.open,
  }
  if (isPhone)
    return (
      <ActionIcon {...common} size="lg" aria-label="Prontuários">
        <IconClipboardHeart size={21} stroke={1.6} aria-hidden />
      </ActionIcon>
    )
  return (
    <Button
      {...common}
      variant={isOpen ? 'light' : 'subtle'}
      size="sm"
      leftSection={<IconClipboardHeart size={20} stroke={1.6} aria-hidden />}
    >
      Prontuários
    </Button>
  )
}
