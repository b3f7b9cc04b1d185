import { Button } from '@mantine/core'
import { IconCircleCheck, IconDeviceFloppy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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

/** Stays at the foot of the screen while a set is edited: what waits, 'Desfazer', 'Salvar'. */
export const SaveBar = ({ count, done, warning, isSaving, onSave, onDiscard }: SaveBarProps) => (
  <div className={classes.bar}>
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
        <Button variant="subtle" color="gray" disabled={isSaving} onClick={onDiscard}>
          Desfazer
        </Button>
      )}
      <Button loading={isSaving} onClick={onSave} leftSection={<IconDeviceFloppy size={18} aria-hidden />}>
        Salvar
      </Button>
    </div>
  </div>
)
