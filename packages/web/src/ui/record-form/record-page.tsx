import { ApiProblem } from '@bi-manager/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconFileUnknown } from '@tabler/icons-react'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'react-router'
import { messageOf } from '../../lib/api/api.ts'
import { AdminPage } from '../page/admin-page.tsx'
import { PageMessage } from '../page/page-message.tsx'
import classes from './record-form.module.css'

interface RecordPageProps<R> {
  /** From useRecordId; undefined for a new record, which renders at once. */
  id: number | undefined
  queryKey: QueryKey
  load: (id: number, signal: AbortSignal) => Promise<R>
  /** Page title while the record loads: 'Editar Workspace'. */
  title: string
  /** 'Workspace não encontrado'. */
  notFound: string
  /** Path of the list: '/workspace'. */
  listPath: string
  /** Number of fields in the skeleton. */
  fields?: number
  /** Renders the form. */
  children: (record: R | undefined) => ReactNode
}

/** Returns the route's id if it is a positive int4; otherwise undefined, a new record. */
export const useRecordId = (param: string): number | undefined => recordIdOf(useParams()[param])

export const recordIdOf = (text: string | null | undefined): number | undefined => {
  const id = Number(text?.trim() || Number.NaN)
  return Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : undefined
}

/** Loads the record to edit, bypassing the cache, then renders its form. */
export const RecordPage = <R,>(props: RecordPageProps<R>) =>
  props.id === undefined ? props.children(undefined) : <Loaded key={props.id} {...props} id={props.id} />

const Loaded = <R,>({
  id,
  queryKey,
  load,
  title,
  notFound,
  listPath,
  fields = 3,
  children,
}: RecordPageProps<R> & { id: number }) => {
  // A query key per opening: a save based on a cached record would be refused as outdated.
  const [opening] = useState(() => ++openings)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...queryKey, 'edicao', id, opening],
    queryFn: ({ signal }) => load(id, signal),
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
          <Button variant={isUnknown ? 'filled' : 'default'} component={Link} to={listPath}>
            Voltar à lista
          </Button>
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
    <div className={classes.form} role="status" aria-label="Carregando o cadastro">
      {Array.from({ length: fields }, (_, field) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bare placeholder fields, never reordered
        <div key={field}>
          <Skeleton height={14} width={110} mb="xs" />
          <Skeleton height={36} />
        </div>
      ))}
      <Skeleton height={36} width={110} />
    </div>
  </AdminPage>
)
