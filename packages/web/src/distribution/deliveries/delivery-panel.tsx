import { Alert, Anchor } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import { callFailureSentence } from '../../reports/index.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import type { Delivery, DeliveryKind } from './delivery-kind.ts'
import type { RowProps } from './delivery-row.tsx'
import { QueryContent } from './own-deliveries.tsx'
import { useDeliveryDialogs } from './use-delivery-dialogs.tsx'

interface FormOf<T, S> {
  /** The one to change; undefined makes a new one. */
  one: T | undefined
  /** What the report shows; undefined where it is not asked, or did not say. */
  screen: S | undefined
  /** @param text a sentence about what was saved */
  onSaved: (text: string) => void
  onCancel: () => void
}

interface DeliveryPanelProps<T extends Delivery, S> {
  kind: DeliveryKind<T>
  /** The person's own of this report. */
  existing: UseQueryResult<T[]>
  idRelatorio: number
  /** Reads what the report shows; undefined where a new one does not depend on it. */
  read: (() => Promise<S>) | undefined
  /** Begins with the form of a new one, and ends when it is left. */
  startsNew?: boolean
  Row: ComponentType<RowProps<T>>
  form: (form: FormOf<T, S>) => ReactNode
  /** Covers the list, such as a secret that is shown once. */
  cover?: ReactNode
  close: () => void
}

/** The person's own alerts or subscriptions of the report on the screen, or the form of one. */
export const DeliveryPanel = <T extends Delivery, S>(props: DeliveryPanelProps<T, S>) => {
  const { kind, existing, idRelatorio, read } = props
  // The dialog covers the report: what is on the screen does not change while it is open.
  const screen = useQuery({
    queryKey: ['tela', idRelatorio, useId()],
    queryFn: read,
    enabled: read !== undefined,
    networkMode: 'always',
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <QueryContent query={existing} label={kind.texts.loadingAll}>
      {(rows) => <Loaded {...props} rows={rows} screen={screen} />}
    </QueryContent>
  )
}

type LoadedProps<T extends Delivery, S> = DeliveryPanelProps<T, S> & { rows: T[]; screen: UseQueryResult<S> }

const Loaded = <T extends Delivery, S>(props: LoadedProps<T, S>) => {
  const { kind, rows, screen, startsNew = false, Row, form: formOf, cover, close } = props
  const [form, setForm] = useState<'new' | T | undefined>(startsNew ? 'new' : undefined)
  const [saved, setSaved] = useState<string>()
  const { askToDelete, isDeleting, dialogs } = useDeliveryDialogs(kind)
  const edit = (next: 'new' | T) => {
    setSaved(undefined)
    setForm(next)
  }

  if (cover) return cover
  const one = typeof form === 'object' ? form : undefined
  // A later attempt to read the screen must not remove the form of what is edited.
  if (screen.isLoading && !one) return <SkeletonLines label={kind.texts.loadingAll} />
  // The list stays below the dialog that confirms the deletion of the last one.
  const isFirst = rows.length === 0 && saved === undefined && !isDeleting
  if (form || isFirst) {
    // Without it, a new one would be of nothing known.
    if (screen.error && !one) return <ScreenFailure screen={screen} />
    const onSaved = (text: string) => {
      setSaved(text)
      setForm(undefined)
    }
    const onCancel = () => (isFirst || startsNew ? close() : setForm(undefined))
    return formOf({ one, screen: screen.data, onSaved, onCancel })
  }
  const { allOwn, add } = kind.texts
  return (
    <>
      <div className={shared.stackMd}>
        <div role="status">{saved && <Alert color="teal">{saved}</Alert>}</div>
        <ul className={shared.divided} aria-label={`${allOwn} deste relatório`}>
          {rows.map((row) => (
            <li key={kind.idOf(row)}>
              <Row one={row} onEdit={() => edit(row)} onDelete={() => askToDelete(row)} />
            </li>
          ))}
        </ul>
        <div className={shared.spread}>
          <Anchor component={Link} to={kind.entity.path} size="sm">
            {kind.texts.everyOwn}
          </Anchor>
          <ActionButton isMain icon={IconPlus} label={add} onClick={() => edit('new')} />
        </div>
      </div>
      {dialogs}
    </>
  )
}

interface ScreenFailureProps {
  screen: { error: Error | null; isFetching: boolean; refetch: () => Promise<unknown> }
}

/** In place of a form that needs to know what the report shows. */
const ScreenFailure = ({ screen: { error, isFetching, refetch } }: ScreenFailureProps) => (
  <>
    <ErrorAlert error={error && callFailureSentence(error)} mb="md" />
    <ActionButton label="Tentar novamente" loading={isFetching} onClick={() => void refetch()} />
  </>
)
