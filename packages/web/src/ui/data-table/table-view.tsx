import { Group, Skeleton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import type { ListState } from '../../lib/lists/list-state.ts'
import shared from '../shared.module.css'
import type { Column, RowsViewProps } from './columns.ts'
import classes from './data-table.module.css'
import { Detail } from './detail.tsx'
import { TwoLines } from './two-lines.tsx'

export const TableView = <R, F extends string>({
  label,
  columns,
  rows,
  rowKey,
  actions,
  actionsWidth,
  state,
}: RowsViewProps<R, F>) => (
  <table className={`${shared.table} ${shared.surface} ${classes.table}`} aria-label={label}>
    <thead>
      <tr>
        {columns.map((column) => (
          <HeaderCell key={column.label} column={column} state={state} />
        ))}
        {actions && (
          <th scope="col" className={classes.actionColumn} style={styleOf(actionsWidth)}>
            Ação
          </th>
        )}
      </tr>
    </thead>
    <tbody>
      {rows
        ? rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) =>
                column.isName ? (
                  <th key={column.label} scope="row" className={classes.name}>
                    <Content column={column} row={row} />
                  </th>
                ) : (
                  <td key={column.label} className={column.isId ? classes.id : undefined}>
                    <Content column={column} row={row} />
                  </td>
                ),
              )}
              {actions && (
                <td className={classes.actionColumn}>
                  <Group gap={2} justify="flex-end" wrap="nowrap" mr={-8}>
                    {actions(row)}
                  </Group>
                </td>
              )}
            </tr>
          ))
        : Array.from({ length: Math.min(state.tamanho, 10) }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: bare placeholder rows, never reordered
            <tr key={row} aria-hidden>
              {columns.map(({ label: name }, column) => (
                <td key={name}>
                  <Skeleton height={14} width={`${[62, 78, 54, 70, 48][(row + column) % 5]}%`} />
                </td>
              ))}
              {actions && (
                <td className={classes.actionColumn}>
                  <Skeleton height={20} width={64} ml="auto" />
                </td>
              )}
            </tr>
          ))}
    </tbody>
  </table>
)

const Content = <R, F extends string>({ column, row }: { column: Column<R, F>; row: R }) => {
  const { isName, isId, render, detail } = column
  const content = render(row)
  const isText = isName || (typeof content === 'string' && !isId)
  return (
    <>
      {isText ? <TwoLines>{content}</TwoLines> : content}
      <Detail>{detail?.(row)}</Detail>
    </>
  )
}

const HeaderCell = <R, F extends string>({
  column: { label, sort, width },
  state: { effectiveOrder, sortBy },
}: {
  column: Column<R, F>
  state: ListState<F>
}) => {
  const style = styleOf(width)
  if (!sort)
    return (
      <th scope="col" style={style}>
        {label}
      </th>
    )
  const direction =
    effectiveOrder === sort ? 'ascending' : effectiveOrder === `-${sort}` ? 'descending' : 'none'
  const Arrow =
    direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconArrowsSort
  return (
    <th scope="col" style={style} aria-sort={direction}>
      <button
        type="button"
        className={`${shared.plainButton} ${classes.sort}`}
        data-sorted={direction !== 'none' || undefined}
        onClick={() => sortBy(sort)}
      >
        {label}
        <Arrow size={15} stroke={2} aria-hidden className={classes.arrow} />
      </button>
    </th>
  )
}

const styleOf = (width: string | undefined) => (width ? { width } : undefined)
