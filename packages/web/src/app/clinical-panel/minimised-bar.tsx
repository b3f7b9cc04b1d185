import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconChevronUp, IconClipboardHeart, IconX } from '@tabler/icons-react'
import type { Ref } from 'react'
import classes from './clinical-panel.module.css'

interface MinimisedBarProps {
  /** The panel has unsaved input. The patient is not named: other people may see the screen. */
  isDirty: boolean
  button: Ref<HTMLButtonElement>
  onOpen: () => void
  onClose: () => void
}

/** The minimised panel at the bottom of the page. */
export const MinimisedBar = ({ isDirty, button, onOpen, onClose }: MinimisedBarProps) => (
  <aside className={classes.bar} aria-label="Prontuários, minimizado">
    <UnstyledButton ref={button} className={classes.restore} aria-expanded={false} onClick={onOpen}>
      <IconClipboardHeart size={20} stroke={1.6} aria-hidden className={classes.mark} />
      <span className={classes.title}>Prontuários</span>
      {isDirty && <span className={classes.typed}>Não registrado</span>}
      <IconChevronUp size={20} stroke={1.7} aria-hidden className={classes.chevron} />
    </UnstyledButton>
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Fechar prontuários" onClick={onClose}>
      <IconX size={20} stroke={1.7} aria-hidden />
    </ActionIcon>
  </aside>
)
