import { ApiProblem, type Endpoint, type Output } from '@bi-manager/contract'
import { Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconFileUnknown } from '@tabler/icons-react'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { messageOf } from '../../lib/api/api.ts'
import { readEntity } from '../../lib/api/entities.ts'
import { listAddress } from '../../lib/lists/list-address.ts'
import { ActionButton } from '../action-button.tsx'
import { Button } from '../button.tsx'
import { AdminPage } from '../page/admin-page.tsx'
import { PageMessage } from '../page/page-message.tsx'
import shared from '../shared.module.css'
import classes from './entity-form.module.css'

interface EntityPageProps<E extends Endpoint> {
  /** From useEntityId. A new entity renders at once. */
  id: number | undefined
  queryKey: QueryKey
  /** Reads the entity by its id. */
  endpoint: E
  /** Page title while the entity loads: 'Editar Workspace'. */
  title: string
  /** 'Workspace não encontrado'. */
  notFound: string
  /** Path of the list: '/workspace'. */
  listPath: string
  /** Number of fields in the skeleton. */
  fields?: number
  /** Renders the form. */
  children: (entity: Output<E> | undefined) => ReactNode
}

/**
 * Returns the id in the address: the route's, or that of the query as the product's specification names
 * it. Undefined for a new entity; 0, which no entity has, when the address names none that can exist.
 */
export const useEntityId = (param: string, queryName?: string): number | undefined => {
  const route = useParams()[param]
  const [query] = useSearchParams()
  const text = route ?? (queryName === undefined ? null : query.get(queryName))
  return text === null || text === undefined ? undefined : (entityIdOf(text) ?? 0)
}

export const entityIdOf = (text: string | null | undefined): number | undefined => {
  const id = Number(text?.trim() || Number.NaN)
  return Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : undefined
}

/** Loads the entity to edit, bypassing the cache, then renders its form. */
export const EntityPage = <E extends Endpoint>(props: EntityPageProps<E>) =>
  props.id === undefined ? (
    props.children(undefined)
  ) : props.id === 0 ? (
    <NotOpened heading={props.notFound} listPath={props.listPath}>
      O endereço não traz o número de um cadastro.
    </NotOpened>
  ) : (
    <Loaded key={props.id} {...props} id={props.id} />
  )

const Loaded = <E extends Endpoint>({
  id,
  queryKey,
  endpoint,
  title,
  notFound,
  listPath,
  fields = 3,
  children,
}: EntityPageProps<E> & { id: number }) => {
  // A query key per opening: a save based on a cached entity would be refused as outdated.
  const [opening] = useState(() => ++openings)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKey, 'edicao', id, opening],
    queryFn: ({ signal }) => readEntity(endpoint, id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data !== undefined) return children(data)
  if (!error) return <FormSkeleton title={title} fields={fields} />
  const isUnknown = error instanceof ApiProblem && error.status === 404
  if (isUnknown)
    return (
      <NotOpened heading={notFound} listPath={listPath}>
        {messageOf(error)}
      </NotOpened>
    )
  const retry = (
    <Button loading={isFetching} onClick={() => void refetch()}>
      Tentar novamente
    </Button>
  )
  return (
    <NotOpened heading="Não foi possível abrir o cadastro" listPath={listPath} retry={retry}>
      {messageOf(error)}
    </NotOpened>
  )
}

interface NotOpenedProps {
  heading: string
  listPath: string
  /** Another attempt, where it may help. */
  retry?: ReactNode
  children: ReactNode
}

const NotOpened = ({ heading, listPath, retry, children }: NotOpenedProps) => (
  <PageMessage
    icon={retry ? IconAlertTriangle : IconFileUnknown}
    heading={heading}
    actions={
      <>
        {retry}
        <ActionButton
          variant={retry ? 'default' : 'filled'}
          label="Voltar à lista"
          to={listAddress(listPath)}
        />
      </>
    }
  >
    {children}
  </PageMessage>
)

let openings = 0

const FormSkeleton = ({ title, fields }: { title: string; fields: number }) => (
  <AdminPage title={title} narrow>
    <div className={`${shared.surface} ${classes.form}`} role="status" aria-label="Carregando o cadastro">
      <FieldSkeletons count={fields} />
      <Skeleton height={36} width={110} />
    </div>
  </AdminPage>
)

/** The placeholders of a form's fields. */
export const FieldSkeletons = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, field) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: bare placeholder fields, never reordered
    <div key={field}>
      <Skeleton height={14} width={110} mb="xs" />
      <Skeleton height={36} />
    </div>
  ))
