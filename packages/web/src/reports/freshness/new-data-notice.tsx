import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { callFailureSentence } from '../viewer/problems/embed-problem.ts'
import { returnFocusToViewer } from '../viewer/problems/return-focus.ts'
import classes from '../viewer/problems/viewer-notice.module.css'

interface NewDataNoticeProps {
  isNew: boolean
  load: () => Promise<void>
  dismiss: () => void
}

/** Offers to load new data into the open report; it keeps page, filters and selections. */
export const NewDataNotice = ({ isNew, load, dismiss }: NewDataNoticeProps) => {
  const [isLoading, setLoading] = useState(false)
  const [fault, setFault] = useState<string>()
  const press = async () => {
    setLoading(true)
    setFault(undefined)
    try {
      await load()
    } catch (error) {
      setFault(callFailureSentence(error))
    } finally {
      setLoading(false)
    }
  }
  return (
    <div role="status">
      {isNew && (
        <div className={`${shared.row} ${classes.notice}`}>
          <div className={classes.text}>
            Há dados novos.
            <ErrorAlert error={fault} mt="xs" />
          </div>
          <Button size="xs" variant="default" loading={isLoading} onClick={press} ref={returnFocusToViewer}>
            Carregar
          </Button>
          <CloseButton aria-label="Fechar aviso de dados novos" onClick={dismiss} ref={returnFocusToViewer} />
        </div>
      )}
    </div>
  )
}
