import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import '@mantine/core/styles/Checkbox.layer.css'
import { IconColumns } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '../action-button.tsx'
import type { Column } from './columns.ts'
import { isFixed, type useShownColumns } from './use-shown-columns.ts'

interface ColumnsMenuProps<R, F extends string> {
  columns: Column<R, F>[]
  choice: ReturnType<typeof useShownColumns<R, F>>
  /** Cards name some columns differently. */
  isNarrow: boolean
}

/** The menu 'Colunas' of a list: which columns it shows. */
export const ColumnsMenu = <R, F extends string>({ columns, choice, isNarrow }: ColumnsMenuProps<R, F>) => {
  const [opened, setOpened] = useState(false)
  const { shown, isShown, toggle, showAll } = choice
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <ActionButton icon={IconColumns} label="Colunas" onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown aria-label="Colunas da lista">
        <Stack gap="xs">
          {columns.map((column) => (
            <Checkbox
              key={column.label}
              label={isNarrow ? (column.phoneLabel ?? column.label) : column.label}
              checked={isShown(column)}
              disabled={isFixed(column, columns)}
              onChange={() => toggle(column)}
            />
          ))}
          <Button
            variant="subtle"
            size="xs"
            mt={4}
            disabled={shown.length === columns.length}
            onClick={showAll}
          >
            Mostrar todas
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
