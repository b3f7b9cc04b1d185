import { Button, CloseButton } from '@mantine/core'
import { useReachable } from '../../lib/connection.ts'
import { missingSentence } from './panel-filters.ts'
import type { OpeningStatus } from './report-opening.ts'
import classes from './viewer-notice.module.css'

interface ViewerNoticeProps {
  status: OpeningStatus
  retry: () => void
  dismiss: () => void
}

const cannotRenew =
  'O acesso a este relatório não pôde ser renovado agora. O relatório continua na tela; tentaremos de novo em instantes.'

/** What there is to say about a report that stays on the screen. The region is always there, so that it is read out. */
export const ViewerNotice = ({ status, retry, dismiss }: ViewerNoticeProps) => {
  const { notice, missing = [], renewalFails, phase } = status
  // Without a connection the notice of the whole portal says so already.
  const isReachable = useReachable()
  const isOpen = phase === 'carregado' || phase === 'renderizado'
  const sentences = isOpen
    ? [...missing.map(missingSentence), notice, renewalFails && isReachable && cannotRenew]
    : []
  const shown = sentences.filter((sentence) => typeof sentence === 'string')
  return (
    <div role="status">
      {shown.length > 0 && (
        <div className={classes.notice}>
          <p className={classes.text}>{shown.join(' ')}</p>
          {notice && (
            <Button size="xs" variant="default" onClick={retry}>
              Tentar novamente
            </Button>
          )}
          {(notice || missing.length > 0) && <CloseButton aria-label="Fechar aviso" onClick={dismiss} />}
        </div>
      )}
    </div>
  )
}
