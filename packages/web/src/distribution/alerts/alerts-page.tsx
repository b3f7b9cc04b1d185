import type { Alert } from '@bi-manager/contract'
import { IconBellPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allowedByRole } from '../../lib/session/allowed-by-role.ts'
import { useSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { ReportLink } from '../subscriptions/report-link.tsx'
import { ownAlertsQuery } from './alert-queries.ts'
import { AlertRow } from './alert-row.tsx'
import { DeleteAlert } from './delete-alert.tsx'
import { EditAlertDialog } from './edit-dialog.tsx'

/** '/alertas': the person's own alerts. */
export const AlertsPage = () => {
  const { data, error, isFetching, refetch } = useQuery({ ...ownAlertsQuery, staleTime: 0 })
  const seesAll = allowedByRole(useSession()?.tipo, 'alerts:manage')
  return (
    <AdminPage
      narrow
      title="Alertas"
      lead="Os valores que o portal vigia para você."
      actions={seesAll && <ActionButton label="Alertas de todos" to="/alertas/todos" />}
    >
      <section className={`${shared.panel} ${shared.stackMd}`} aria-label="Meus alertas">
        {data && data.length > 0 && <OwnList rows={data} />}
        {data?.length === 0 && (
          <InlineMessage icon={IconBellPlus}>
            Você ainda não tem alertas. Abra um relatório e use “Criar alerta”, na barra dele ou no menu de um
            visual.
          </InlineMessage>
        )}
        {error && !data && (
          <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        )}
        {!error && !data && <SkeletonLines label="Carregando os alertas" />}
      </section>
    </AdminPage>
  )
}

const OwnList = ({ rows }: { rows: Alert[] }) => {
  const [editing, setEditing] = useState<Alert>()
  const [toDelete, setToDelete] = useState<Alert>()
  return (
    <>
      <ul className={shared.divided}>
        {rows.map((row) => (
          <li key={row.idAlerta}>
            <AlertRow
              alert={row}
              report={<ReportLink report={row.relatorio} />}
              onEdit={() => setEditing(row)}
              onDelete={() => setToDelete(row)}
            />
          </li>
        ))}
      </ul>
      <EditAlertDialog target={editing} onClose={() => setEditing(undefined)} />
      <DeleteAlert target={toDelete} onClose={() => setToDelete(undefined)} />
    </>
  )
}
