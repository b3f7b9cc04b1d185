import { type Alert, alertsApi, recurrenceText } from '@bi-manager/contract'
import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useSession } from '../../lib/session/session.ts'
import { fullTime } from '../../lib/text/relative-time.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import classes from '../subscriptions/subscription.module.css'
import { AlertBadge } from './alert-badge.tsx'
import { refreshAlerts } from './alert-queries.ts'
import { conditionText, targetText, valueText } from './alert-texts.ts'

interface AlertRowProps {
  alert: Alert
  /** The report's name, where the list has several reports. */
  report?: ReactNode
  onEdit: () => void
  onDelete: () => void
}

/** An alert with its last value, and with what can be done with it. */
export const AlertRow = ({ alert, report, onEdit, onDelete }: AlertRowProps) => {
  const { idAlerta, nomeAlerta, ativo, impedimento, falha, valor, valorEm, formato, mostraValores } = alert
  const client = useQueryClient()
  const session = useSession()
  const pausing = useExclusiveMutation({
    mutationFn: () => call(alertsApi.setActive, { params: { id: idAlerta }, body: { ativo: !ativo } }),
    onSuccess: () => refreshAlerts(client),
  })
  const isOwn = alert.dono.idUsuario === session?.usuario_id
  return (
    <div className={classes.row} aria-busy={pausing.isPending}>
      <div className={classes.rowText}>
        <div className={classes.rowTitle}>
          {nomeAlerta}
          <AlertBadge alert={alert} />
        </div>
        {report && <p className={shared.smallNote}>{report}</p>}
        <p className={shared.smallNote}>
          {targetText(alert)}: {conditionText(alert)}
        </p>
        <p className={shared.smallNote}>
          {recurrenceText(alert)}
          {alert.porEmail && ' · por e-mail'}
          {alert.hostWebhook && ` · webhook em ${alert.hostWebhook}`}
        </p>
        {impedimento && ativo && <p className={shared.fieldWarning}>{impedimento}</p>}
        {falha && ativo && <p className={shared.fieldWarning}>{falha}</p>}
        {mostraValores && valorEm && (
          <p className={shared.smallNote}>
            Último valor: <strong>{valueText(valor, formato)}</strong> em {fullTime(valorEm)}
          </p>
        )}
      </div>
      <div className={classes.rowActions}>
        {/* Fixed, to avoid clipping by a dialog. */}
        <Menu position="bottom-end" shadow="md" floatingStrategy="fixed" withinPortal={false} returnFocus>
          <Menu.Target>
            <ActionIcon size="lg" aria-label={`Ações do alerta ${nomeAlerta}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component={Link} to={`/alertas/${idAlerta}`}>
              Ver avaliações
            </Menu.Item>
            {alert.relatorio && isOwn && <Menu.Item onClick={onEdit}>Editar</Menu.Item>}
            <Menu.Item onClick={() => pausing.mutate()}>{ativo ? 'Pausar' : 'Retomar'}</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={onDelete}>
              Excluir
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <ErrorAlert error={pausing.error} className={classes.rowMessage} />
    </div>
  )
}
