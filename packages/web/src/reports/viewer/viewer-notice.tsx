import { Button, CloseButton } from '@mantine/core'
import { useReachable } from '../../lib/api/connection.ts'
import { useSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import shared from '../../ui/shared.module.css'
import { missingSentence } from './filters/panel-filters.ts'
import type { OpeningStatus } from './opening/opening-status.ts'
import { returnFocusToViewer } from './problems/return-focus.ts'
import classes from './problems/viewer-notice.module.css'

interface ViewerNoticeProps {
  status: OpeningStatus
  /** Opens the report again. */
  retry: () => void
  /** Renews the access to the report on the screen. */
  renew: () => void
  dismiss: () => void
  /** The person with whose identity an ADMIN sees the report. */
  viewAs?: number | undefined
}

const ownIdentity =
  'As linhas deste relatório dependem da Identidade de segurança, que falta no seu cadastro.'
const theirIdentity =
  'As linhas deste relatório dependem da Identidade de segurança, que falta no cadastro desta pessoa.'

const invalidFilter = 'O filtro do endereço não é válido e foi ignorado.'

/**
 * Messages about a report that stays on the screen. The status region is always mounted, because
 * screen readers announce only changes inside an existing region.
 */
export const ViewerNotice = ({ status, retry, renew, dismiss, viewAs }: ViewerNoticeProps) => {
  const {
    missing = [],
    lostParts = [],
    hadInvalidFilter,
    renewalFails,
    needsReauthentication,
    phase,
  } = status
  const session = useSession()
  // A reader learns in the visuals whom to ask.
  const lacksIdentity = status.lacksIdentity === true && session?.tipo === 'ADMIN'
  // While offline, the portal's own notice is shown instead.
  const isReachable = useReachable()
  const notice = isReachable ? status.notice : undefined
  const isOpen = phase === 'carregado' || phase === 'renderizado'
  const sentences = isOpen
    ? [
        hadInvalidFilter && invalidFilter,
        lacksIdentity && (viewAs === undefined ? ownIdentity : theirIdentity),
        ...lostParts,
        ...missing.map(missingSentence),
        notice,
        isReachable && renewalFails,
      ]
    : []
  const shown = sentences.filter((sentence) => typeof sentence === 'string')
  return (
    <div role="status">
      {shown.length > 0 && (
        <div className={`${shared.row} ${classes.notice}`}>
          <ul className={classes.text}>
            {shown.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {(notice || (isReachable && needsReauthentication)) && (
            <Button
              size="xs"
              variant="default"
              className={classes.retry}
              onClick={notice ? retry : renew}
              ref={returnFocusToViewer}
            >
              Tentar novamente
            </Button>
          )}
          {lacksIdentity && (
            <ActionButton
              size="xs"
              label={viewAs === undefined ? 'Abrir o meu cadastro' : 'Abrir o cadastro da pessoa'}
              to={`/cadastrar-usuario/${viewAs ?? session.usuario_id}`}
            />
          )}
          {(notice || lacksIdentity || hadInvalidFilter || missing.length > 0 || lostParts.length > 0) && (
            <CloseButton aria-label="Fechar aviso" onClick={dismiss} ref={returnFocusToViewer} />
          )}
        </div>
      )}
    </div>
  )
}
