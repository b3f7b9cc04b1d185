import { IconFileUnknown } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { UnavailablePage } from '../../ui/page/unavailable-page.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import type { Delivery, DeliveryKind } from './delivery-kind.ts'
import type { RowProps } from './delivery-row.tsx'
import { type EditDialogProps, useDeliveryDialogs } from './use-delivery-dialogs.tsx'

interface Screens<T extends Delivery> {
  kind: DeliveryKind<T>
  Row: ComponentType<RowProps<T>>
  Edit: ComponentType<EditDialogProps<T>>
  /** Below the row, in its panel. */
  about: (one: T, isOwn: boolean) => ReactNode
  /** Its evaluations or runs. */
  history: (one: T) => ReactNode
}

interface DeliveryPageProps<T extends Delivery> extends Screens<T> {
  /** From the address; 0: none. */
  id: number
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'refetch'>
}

/** An alert or a subscription with its history, for its owner and ADMINs. */
export const DeliveryPage = <T extends Delivery>({ id, query, ...screens }: DeliveryPageProps<T>) => {
  const { data, error, isFetching, refetch } = query
  const { texts, entity } = screens.kind
  if (id === 0 || (error && !data))
    return (
      <UnavailablePage
        error={error}
        isFetching={isFetching}
        retry={() => void refetch()}
        gone={{
          icon: IconFileUnknown,
          heading: texts.missing,
          text: texts.gone,
          action: <ActionButton isMain label={texts.show} to={entity.path} />,
        }}
        failed={texts.failed}
      />
    )
  if (!data)
    return (
      <AdminPage title={texts.title}>
        <SkeletonLines label={texts.loading} />
      </AdminPage>
    )
  return <Loaded key={id} one={data} {...screens} />
}

const Loaded = <T extends Delivery>({ one, kind, Row, Edit, about, history }: Screens<T> & { one: T }) => {
  const { texts } = kind
  const navigate = useNavigate()
  const session = useSession()
  const isOwn = one.dono.idUsuario === session?.usuario_id
  const list = isOwn ? kind.entity.path : kind.all
  const onDeleted = () => void navigate(list, { replace: true })
  const { edit, askToDelete, dialogs } = useDeliveryDialogs(kind, { Edit, onDeleted })
  return (
    <AdminPage
      title={kind.nameOf(one)}
      lead={isOwn ? texts.own : `${texts.title} de ${one.dono.nomeUsuario}`}
      actions={<ActionButton label={isOwn ? texts.allOwn : texts.allOfAll} to={list} />}
    >
      <section className={shared.panel} aria-label={texts.about}>
        <Row one={one} showsReport onEdit={() => edit(one)} onDelete={() => askToDelete(one)} />
        {about(one, isOwn)}
      </section>
      <section className={shared.stackMd} aria-labelledby="historico">
        <h2 id="historico" className={shared.heading}>
          {texts.history}
        </h2>
        {history(one)}
      </section>
      {dialogs}
    </AdminPage>
  )
}
