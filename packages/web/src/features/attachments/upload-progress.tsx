import { Button, Progress } from '@mantine/core'
import { useId } from 'react'
import { focusOnMount } from '../../ui/page-focus.ts'
import classes from './attachment-form.module.css'

interface UploadProgressProps {
  /** 0 to 1; at 1 the server has received everything and checks the file. */
  sent: number
  hasFile: boolean
  onCancel: () => void
}

/** The sent part of the upload in percent, with 'Cancelar'. */
export const UploadProgress = ({ sent, hasFile, onCancel }: UploadProgressProps) => {
  const label = useId()
  const percent = Math.floor(sent * 100)
  const isSent = sent >= 1
  return (
    <div className={classes.progress}>
      <div className={classes.progressText}>
        <span id={label} role="status">
          {isSent ? (hasFile ? 'Conferindo o arquivo…' : 'Gravando…') : 'Enviando…'}
        </span>
        <span className={classes.percent}>{percent}%</span>
      </div>
      <Progress.Root size="md">
        <Progress.Section value={percent} aria-labelledby={label} animated={isSent} />
      </Progress.Root>
      <Button variant="default" onClick={onCancel} ref={focusOnMount}>
        Cancelar
      </Button>
    </div>
  )
}
