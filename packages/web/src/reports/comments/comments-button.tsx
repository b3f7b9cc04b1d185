import { ActionIcon, Box, Tooltip } from '@mantine/core'
import { IconMessageCircle } from '@tabler/icons-react'
import type { RefObject } from 'react'
import { counted } from '../../lib/text/counted.ts'
import classes from '../viewer/toolbar/viewer-toolbar.module.css'
import { preloadComments } from './comments-side.tsx'

interface CommentsButtonProps {
  isOpen: boolean
  isDisabled: boolean
  /** Number of open threads about the report. */
  open: number
  button: RefObject<HTMLButtonElement | null>
  toggle: () => void
}

/** The toolbar's 'Comentários', with the number of open threads. */
export const CommentsButton = ({ isOpen, isDisabled, open, button, toggle }: CommentsButtonProps) => (
  <Box component="span" pos="relative">
    <Tooltip label="Comentários" openDelay={400} disabled={isOpen}>
      <ActionIcon
        ref={button}
        size="lg"
        className={classes.icon}
        aria-label={
          open > 0 ? `Comentários, ${counted(open, 'conversa aberta', 'conversas abertas')}` : 'Comentários'
        }
        aria-expanded={isOpen}
        disabled={isDisabled}
        onPointerEnter={preloadComments}
        onFocus={preloadComments}
        onClick={toggle}
      >
        <IconMessageCircle size={20} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
    {open > 0 && (
      <span className={`${classes.count} ${classes.iconCount}`} aria-hidden>
        {open > 99 ? '99+' : open}
      </span>
    )}
  </Box>
)
