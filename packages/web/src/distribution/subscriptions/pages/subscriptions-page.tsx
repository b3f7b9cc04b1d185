import {
  type ReceivedSubscription,
  receivedSubscriptionsApi,
  recurrenceText,
  subscriptionEntity,
} from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { IconInbox, IconMailForward } from '@tabler/icons-react'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../lib/api/api.ts'
import { refreshAfter } from '../../../lib/api/refresh-after.ts'
import { useExclusiveMutation } from '../../../lib/api/use-exclusive-mutation.ts'
import { allowedByRole } from '../../../lib/session/allowed-by-role.ts'
import { useSession } from '../../../lib/session/session.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import { InlineMessage } from '../../../ui/inline-message.tsx'
import { AdminPage } from '../../../ui/page/admin-page.tsx'
import shared from '../../../ui/shared.module.css'
import classes from '../../deliveries/delivery.module.css'
import { OwnDeliveries, QueryContent } from '../../deliveries/own-deliveries.tsx'
import { ReportLink } from '../../deliveries/report-link.tsx'
import { EditSubscriptionDialog } from '../form/edit-dialog.tsx'
import { subscriptionKind } from '../subscription-kind.ts'
import { ownSubscriptionsQuery, receivedSubscriptionsQuery } from '../subscription-queries.ts'
import { SubscriptionRow } from '../subscription-row.tsx'
import { sendingOf, sendingTexts } from '../subscription-texts.ts'

/** '/assinaturas': the person's own subscriptions, and those that others made for them. */
export const SubscriptionsPage = () => {
  const own = useQuery({ ...ownSubscriptionsQuery, staleTime: 0 })
  const received = useQuery({ ...receivedSubscriptionsQuery, staleTime: 0 })
  const seesAll = allowedByRole(useSession()?.tipo, 'subscriptions:manage')
  return (
    <AdminPage
      narrow
      title="Assinaturas"
      lead="Os relatórios que você recebe por e-mail."
      actions={seesAll && <ActionButton label="Assinaturas de todos" to="/assinaturas/todas" />}
    >
      <Section
        id="minhas"
        title="Minhas assinaturas"
        query={own}
        empty="Você ainda não assinou nenhum relatório. Abra um relatório e use “Assinar”, na barra dele."
      >
        {(rows) => (
          <OwnDeliveries
            kind={subscriptionKind}
            rows={rows}
            Row={SubscriptionRow}
            Edit={EditSubscriptionDialog}
          />
        )}
      </Section>
      <Section
        id="recebidas"
        title="Feitas por outras pessoas"
        query={received}
        empty="Ninguém assinou um relatório para você."
      >
        {(rows) => <ReceivedList rows={rows} />}
      </Section>
    </AdminPage>
  )
}

interface SectionProps<R> {
  id: string
  title: string
  query: UseQueryResult<R[]>
  empty: string
  children: (rows: R[]) => ReactNode
}

const Section = <R,>({ id, title, query, empty, children }: SectionProps<R>) => {
  return (
    <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby={id}>
      <h2 id={id} className={shared.heading}>
        {title}
      </h2>
      <QueryContent query={query} label={`Carregando: ${title}`}>
        {(rows) =>
          rows.length > 0 ? (
            children(rows)
          ) : (
            <InlineMessage icon={id === 'minhas' ? IconMailForward : IconInbox}>{empty}</InlineMessage>
          )
        }
      </QueryContent>
    </section>
  )
}

const ReceivedList = ({ rows }: { rows: ReceivedSubscription[] }) => {
  const client = useQueryClient()
  const changing = useExclusiveMutation({
    mutationFn: ({ idAssinatura: id, saiu }: ReceivedSubscription) =>
      call(saiu ? receivedSubscriptionsApi.returnTo : receivedSubscriptionsApi.leave, { params: { id } }),
    onSuccess: () => refreshAfter(client, subscriptionEntity),
  })
  return (
    <>
      <ErrorAlert error={changing.error} />
      <ul className={shared.divided}>
        {rows.map((row) => (
          <li key={row.idAssinatura} className={classes.row}>
            <div className={classes.rowText}>
              <div className={classes.rowTitle}>
                {row.assunto}
                {row.saiu && <span className={shared.tag}>Você saiu</span>}
                {!row.saiu && !row.ativa && <span className={shared.tag}>Pausada</span>}
              </div>
              <p className={shared.smallNote}>
                <ReportLink report={row.relatorio} assinatura={row.saiu ? undefined : row.idAssinatura} />
              </p>
              <p className={shared.smallNote}>
                {recurrenceText(row)} · {sendingTexts[sendingOf(row)]} · feita por {row.nomeDono}
              </p>
            </div>
            <Button
              variant="default"
              size="xs"
              loading={changing.isPending && changing.variables.idAssinatura === row.idAssinatura}
              aria-label={`${row.saiu ? 'Voltar a receber' : 'Deixar de receber'}: ${row.assunto}`}
              onClick={() => changing.mutate(row)}
            >
              {row.saiu ? 'Voltar a receber' : 'Deixar de receber'}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
