import { Button } from '@mantine/core'
import { IconCircleCheck, IconDeviceFloppy } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import classes from './report-set.module.css'

interface SaveBarProps {
  /** How many changes wait to be saved. */
  count: number
  /** What was saved, in words; undefined: nothing, or something was changed since. */
  done: string | undefined
  /** A message that goes away by itself. */
  warning?: ReactNode
  isSaving: boolean
  onSave: () => void
  onDiscard: () => void
}

/** The foot of a set that is edited; stays in sight while it has something to say: what waits, 'Desfazer', 'Salvar'. */
export const SaveBar = ({ count, done, warning, isSaving, onSave, onDiscard }: SaveBarProps) => {
  const save = useRef<HTMLButtonElement>(null)
  const isStuck = count > 0 || isSaving || !!done || !!warning
  return (
    <div className={classes.bar} data-stuck={isStuck || undefined}>
      <div className={classes.barTexts}>
        <p role="alert" className={classes.warning}>
          {warning}
        </p>
        <p role="status" className={classes.state}>
          {done ? (
            <>
              <IconCircleCheck size={20} stroke={1.8} aria-hidden className={classes.check} />
              {done}
            </>
          ) : (
            count > 0 &&
            (count === 1 ? '1 alteração a salvar' : `${count.toLocaleString('pt-BR')} alterações a salvar`)
          )}
        </p>
      </div>
      <div className={classes.barButtons}>
        {count > 0 && (
          <Button
            variant="subtle"
            color="gray"
            disabled={isSaving}
            onClick={() => {
              // 'Desfazer' is about to go, and the focus with it.
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
