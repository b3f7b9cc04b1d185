import type { SystemState } from '@bi-manager/contract'
import { Box, Group } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { Facts } from '../../ui/facts.tsx'
import shared from '../../ui/shared.module.css'
import { cardTitles, stateNames } from './status-text.ts'
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
  section: keyof typeof cardTitles
  /** Left out for a card of facts only. */
  item?: { estado: SystemState; frase: string }
  facts?: ComponentProps<typeof Facts>['rows']
  /** Shown above the facts. */
  children?: ReactNode
  below?: ReactNode
}

/** A card for one item: its state in words, what to do, and its facts. */
export const StatusCard = ({ section, item, facts, children, below }: StatusCardProps) => (
  <section id={section} className={`${shared.surface} ${classes.card}`} aria-labelledby={`${section}-titulo`}>
    <Group component="header" justify="space-between" align="flex-start" gap="0.375rem 1rem">
      <h2 id={`${section}-titulo`} className={shared.heading}>
        {cardTitles[section]}
      </h2>
      {item && (
        <span className={classes.badge} data-state={item.estado}>
          <StateIcon estado={item.estado} size={16} />
          {stateNames[item.estado]}
        </span>
      )}
    </Group>
    {item && <p className={shared.breakable}>{item.frase}</p>}
    {children}
    {facts && <Facts rows={facts} className={`${shared.stackTight} ${classes.known}`} />}
    {below}
  </section>
)

export interface StatusRow {
  key: string | number
  estado: SystemState
  title: ReactNode
  /** Shown next to the title, such as a date. */
  aside?: string | undefined
  text: string
}

export const StatusList = ({ label, rows }: { label: string; rows: StatusRow[] }) =>
  rows.length > 0 && (
    <ul className={`${shared.outlined} ${shared.divided}`} aria-label={label}>
      {rows.map(({ key, estado, title, aside, text }) => (
        <li key={key} className={classes.row}>
          <Group component="span" h="1.5em" role="img" aria-label={stateNames[estado]}>
            <StateIcon estado={estado} />
          </Group>
          <Box component="span" fw={600} className={shared.breakable}>
            {title}
          </Box>
          {aside && (
            <span className={`${shared.note} ${classes.rowAside}`} data-short={aside.length < 8 || undefined}>
              {aside}
            </span>
          )}
          <span className={`${shared.note} ${classes.rowText}`}>{text}</span>
        </li>
      ))}
    </ul>
  )
