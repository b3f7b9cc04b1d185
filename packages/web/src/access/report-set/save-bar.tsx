import { Box, Group } from '@mantine/core'
import { IconCircleCheck, IconDeviceFloppy } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import shared from '../../ui/shared.module.css'
import classes from './report-set.module.css'

interface SaveBarProps {
  /** Number of unsaved changes. */
  count: number
  /** What was saved, in words; undefined when nothing was, or after a further change. */
  done: string | undefined
  /** A message that disappears by itself. */
  warning?: ReactNode
  isSaving: boolean
  onSave: () => void
  onDiscard: () => void
}

/** The footer of an edited set: status, 'Desfazer', 'Salvar'. Sticks while it has content. */
export const SaveBar = ({ count, done, warning, isSaving, onSave, onDiscard }: SaveBarProps) => {
  const save = useRef<HTMLButtonElement>(null)
  const isStuck = count > 0 || isSaving || !!done || !!warning
  return (
    <div className={classes.bar} data-stuck={isStuck || undefined}>
      <Box flex="1 1 12rem" miw={0} fz="sm">
        <Box component="p" role="alert" c="light-dark(#7a4a00, #ffd58a)" fw={600}>
          {warning}
        </Box>
        <Group component="p" role="status" gap={8} c="dimmed">
          {done ? (
            <>
              <IconCircleCheck size={20} stroke={1.8} aria-hidden className={shared.successIcon} />
              {done}
            </>
          ) : (
            count > 0 &&
            (count === 1 ? '1 alteração a salvar' : `${count.toLocaleString('pt-BR')} alterações a salvar`)
          )}
        </Group>
      </Box>
      <div className={classes.barButtons}>
        {count > 0 && (
          <Button
            variant="subtle"
            color="gray"
            disabled={isSaving}
            onClick={() => {
              // 'Desfazer' is about to be removed; moves the focus away first.
              save.current?.focus({ preventScroll: true })
              onDiscard()
            }}
          >
            Desfazer
          </Button>
        )}
        <Button
          ref={save}
          loading={isSaving}
          onClick={onSave}
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
        >
          Salvar
        </Button>
      </div>
    </div>
  )
}
