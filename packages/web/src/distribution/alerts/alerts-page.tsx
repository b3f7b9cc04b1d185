import { IconBellPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { allowedByRole } from '../../lib/session/allowed-by-role.ts'
import { useSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { OwnDeliveries, QueryContent } from '../deliveries/own-deliveries.tsx'
import { alertKind } from './alert-kind.ts'
import { ownAlertsQuery } from './alert-queries.ts'
import { AlertRow } from './alert-row.tsx'
import { EditAlertDialog } from './edit-dialog.tsx'

/** '/alertas': the person's own alerts. */
export const AlertsPage = () => {
  const own = useQuery({ ...ownAlertsQuery, staleTime: 0 })
  const seesAll = allowedByRole(useSession()?.tipo, 'alerts:manage')
  return (
    <AdminPage
      narrow
      title="Alertas"
      lead="Os valores que o portal vigia para você."
      actions={seesAll && <ActionButton label="Alertas de todos" to="/alertas/todos" />}
    >
      <section className={`${shared.panel} ${shared.stackMd}`} aria-label="Meus alertas">
        <QueryContent query={own} label="Carregando os alertas">
          {(rows) =>
            rows.length > 0 ? (
              <OwnDeliveries kind={alertKind} rows={rows} Row={AlertRow} Edit={EditAlertDialog} />
            ) : (
              <InlineMessage icon={IconBellPlus}>
                Você ainda não tem alertas. Abra um relatório e use “Criar alerta”, na barra dele ou no menu
                de um visual.
              </InlineMessage>
            )
          }
        </QueryContent>
      </section>
    </AdminPage>
  )
}
