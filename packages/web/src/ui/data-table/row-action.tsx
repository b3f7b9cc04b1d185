import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link } from 'react-router'

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
export const RowAction = (props: RowActionProps) => {
  const { icon: IconOf, label, of, to, onClick, color = 'gray', disabled, isMain } = props
  if (isMain)
    return (
      <Button
        variant="light"
        size="compact-sm"
        flex="none"
        bg="var(--surface-active)"
        c="var(--text-active)"
        aria-label={`${label} ${of}`}
        leftSection={<IconOf size={17} stroke={1.7} aria-hidden />}
        disabled={disabled}
        onClick={onClick}
      >
        {label}
      </Button>
    )
  const look = {
    color,
    size: 'lg',
    'aria-label': `${label} ${of}`,
    children: <IconOf size={19} stroke={1.7} aria-hidden />,
  }
  return (
    <Tooltip label={label} openDelay={300} portalProps={{ target: '#conteudo' }}>
      {to ? (
        <ActionIcon component={Link} to={to} {...look} />
      ) : (
        <ActionIcon onClick={onClick} disabled={disabled} {...look} />
      )}
    </Tooltip>
  )
}
