import type { SystemState } from '@bi-manager/contract'
import type { Icon } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import shared from '../../ui/shared.module.css'
import { type SectionKey, sectionTitle, stateNames } from './status-text.ts'
import classes from './system-status.module.css'

const icons: Record<SystemState, Icon> = {
  ok: IconCircleCheck,
  atencao: IconAlertTriangle,
  falha: IconCircleX,
  desconhecido: IconHelpCircle,
}

export const StateIcon = ({ estado, size = 18 }: { estado: SystemState; size?: number }) => {
  const IconOf = icons[estado]
  return <IconOf size={size} stroke={1.8} aria-hidden className={classes.stateIcon} data-state={estado} />
}

interface StatusCardProps {
  section: SectionKey
  item: { estado: SystemState; frase: string }
  action?: ReactNode
  children?: ReactNode
}

/** A card for one item: its state in words, what to do, and its facts. */
export const StatusCard = ({ section, item: { estado, frase }, action, children }: StatusCardProps) => (
  <section id={section} className={classes.card} aria-labelledby={`${section}-titulo`}>
    <header className={classes.cardHeader}>
      <h2 id={`${section}-titulo`} className={shared.heading}>
        {sectionTitle(section)}
      </h2>
      <span className={classes.badge} data-state={estado}>
        <StateIcon estado={estado} size={16} />
        {stateNames[estado]}
      </span>
    </header>
    <p className={classes.sentence}>{frase}</p>
    {children}
    {action}
  </section>
)

/** A list of names and values; undefined values are omitted. */
export const Facts = ({ rows }: { rows: [name: string, value: ReactNode | undefined][] }) => (
  <dl className={classes.facts}>
    {rows
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

export interface StatusRow {
  key: string | number
  estado: SystemState
  title: ReactNode
  /** Shown next to the title, such as a date. */
  aside?: string | undefined
  text: string
}

export const StatusList = ({ label, rows }: { label: string; rows: StatusRow[] }) => (
  <ul className={classes.rows} aria-label={label}>
    {rows.map(({ key, estado, title, aside, text }) => (
      <li key={key} className={classes.row}>
        <span className={classes.rowIcon} role="img" aria-label={stateNames[estado]}>
          <StateIcon estado={estado} />
        </span>
        <span className={classes.rowTitle}>{title}</span>
        {aside && (
          <span className={classes.rowAside} data-short={aside.length < 8 || undefined}>
            {aside}
          </span>
        )}
        <span className={classes.rowText}>{text}</span>
      </li>
    ))}
  </ul>
)
