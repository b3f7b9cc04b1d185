import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link } from 'react-router'
import classes from './data-table.module.css'

interface RowActionProps {
  icon: Icon
  /** The verb shown in the tooltip: 'Excluir'. */
  label: string
  /** The row's name, for the accessible name 'Excluir Vendas'. */
  of: string
  /** Link target; exclusive with `onClick`. */
  to?: string
  /** Action; exclusive with `to`. */
  onClick?: () => void
  color?: 'red'
  disabled?: boolean
  /** The row's primary action: shows the verb next to the icon. Only with `onClick`. */
  isMain?: boolean
}

/** An icon button of the 'Ação' column. */
export const RowAction = ({
  icon: IconOf,
  label,
  of,
  to,
  onClick,
  color,
  disabled,
  isMain,
}: RowActionProps) => {
  if (isMain)
    return (
      <Button
        variant="light"
        size="compact-sm"
        className={classes.mainAction}
        aria-label={`${label} ${of}`}
        leftSection={<IconOf size={17} stroke={1.7} aria-hidden />}
        disabled={disabled}
        onClick={onClick}
      >
        {label}
      </Button>
    )
  const look = {
    variant: 'subtle',
    size: 'lg',
    color: color ?? 'gray',
    'aria-label': `${label} ${of}`,
  } as const
  const icon = <IconOf size={19} stroke={1.7} aria-hidden />
  return (
    <Tooltip label={label} openDelay={300} portalProps={{ target: '#conteudo' }}>
      {to ? (
        <ActionIcon component={Link} to={to} {...look}>
          {icon}
        </ActionIcon>
      ) : (
        <ActionIcon onClick={onClick} disabled={disabled} {...look}>
          {icon}
        </ActionIcon>
      )}
    </Tooltip>
  )
}
