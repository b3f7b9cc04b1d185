import { ApiProblem, type Endpoint, type Output } from '@bi-manager/contract'
import { Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconFileUnknown } from '@tabler/icons-react'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
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
  /** From useEntityId; undefined for a new entity, which renders at once. */
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

/** Returns the route's id if it is a positive int4; otherwise undefined, a new entity. */
export const useEntityId = (param: string): number | undefined => entityIdOf(useParams()[param])

export const entityIdOf = (text: string | null | undefined): number | undefined => {
  const id = Number(text?.trim() || Number.NaN)
  return Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : undefined
}

/** Loads the entity to edit, bypassing the cache, then renders its form. */
export const EntityPage = <E extends Endpoint>(props: EntityPageProps<E>) =>
  props.id === undefined ? props.children(undefined) : <Loaded key={props.id} {...props} id={props.id} />

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
  return (
    <PageMessage
      icon={isUnknown ? IconFileUnknown : IconAlertTriangle}
      heading={isUnknown ? notFound : 'Não foi possível abrir o cadastro'}
      actions={
        <>
          {!isUnknown && (
            <Button loading={isFetching} onClick={() => void refetch()}>
              Tentar novamente
            </Button>
          )}
          <ActionButton
            variant={isUnknown ? 'filled' : 'default'}
            label="Voltar à lista"
            to={listAddress(listPath)}
          />
        </>
      }
    >
      {messageOf(error)}
    </PageMessage>
  )
}

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
