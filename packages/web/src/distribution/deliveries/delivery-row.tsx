import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useSession } from '../../lib/session/session.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import classes from './delivery.module.css'
import type { Delivery, DeliveryKind } from './delivery-kind.ts'

/** What the rows of alerts and of subscriptions get. */
export interface RowProps<T> {
  one: T
  /** Shows the report's name, where the list has several reports. */
  showsReport?: boolean
  onEdit: () => void
  onDelete: () => void
}

interface DeliveryRowProps<T extends Delivery> extends Omit<RowProps<T>, 'showsReport'> {
  kind: DeliveryKind<T>
  /** Its state, behind the name. */
  badge: ReactNode
  report: ReactNode
  /** Lines on what it does. */
  facts: ReactNode
  /** Why it failed the last time, in Portuguese. */
  failure?: string | null
  /** What happened last, and what comes next. */
  times: ReactNode
  /** Buttons before the menu. */
  actions?: ReactNode
  /** Below the row: outcomes of the buttons. */
  children?: ReactNode
}

/** One of one's own, or of those of all, with what can be done with it. */
export const DeliveryRow = <T extends Delivery>(props: DeliveryRowProps<T>) => {
  const { kind, one, badge, report, facts, failure, times, actions, children, onEdit, onDelete } = props
  const client = useQueryClient()
  const session = useSession()
  const isActive = kind.isActive(one)
  const pausing = useExclusiveMutation({
    mutationFn: () => kind.setActive(kind.idOf(one), !isActive),
    onSuccess: () => refreshAfter(client, kind.entity),
  })
  return (
    <div className={classes.row} aria-busy={pausing.isPending}>
      <div className={classes.rowText}>
        <div className={classes.rowTitle}>
          {kind.nameOf(one)}
          {badge}
        </div>
        {report && <p className={shared.smallNote}>{report}</p>}
        {facts}
        {one.impedimento && isActive && <p className={shared.fieldWarning}>{one.impedimento}</p>}
        {failure && isActive && <p className={shared.fieldWarning}>{failure}</p>}
        {times && <p className={shared.smallNote}>{times}</p>}
      </div>
      <div className={classes.rowActions}>
        {actions}
        {/* Fixed, to avoid clipping by a dialog. */}
        <Menu position="bottom-end" shadow="md" floatingStrategy="fixed" withinPortal={false} returnFocus>
          <Menu.Target>
            <ActionIcon size="lg" aria-label={`${kind.texts.actions} ${kind.nameOf(one)}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component={Link} to={`${kind.entity.path}/${kind.idOf(one)}`}>
              {kind.texts.showHistory}
            </Menu.Item>
            {one.relatorio && kind.mayEdit(one, session?.usuario_id) && (
              <Menu.Item onClick={onEdit}>Editar</Menu.Item>
            )}
            <Menu.Item onClick={() => pausing.mutate()}>{isActive ? 'Pausar' : 'Retomar'}</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={onDelete}>
              Excluir
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {children}
      <ErrorAlert error={pausing.error} className={classes.rowMessage} />
    </div>
  )
}
