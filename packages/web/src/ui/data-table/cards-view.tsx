import { NativeSelect, Skeleton } from '@mantine/core'
import type { ListState, Order } from '../../lib/lists/list-state.ts'
import shared from '../shared.module.css'
import type { Column, RowsViewProps } from './columns.ts'
import classes from './data-table.module.css'
import { Detail } from './detail.tsx'

/** Shows the rows as cards where a table does not fit: on phones or next to an open menu. */
export const CardsView = <R, F extends string>({
  label,
  columns,
  rows,
  rowKey,
  actions,
  isCompact,
  state,
}: RowsViewProps<R, F>) => {
  // The naming column is the card's title, regardless of its position.
  const lines = columns.toSorted((a, b) => Number(b.isName ?? false) - Number(a.isName ?? false))
  if (!rows) return <CardSkeletons count={Math.min(state.tamanho, 5)} lines={columns.length} />
  return (
    <ul className={classes.cards} aria-label={label} data-compact={isCompact || undefined}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={`${shared.surface} ${classes.card}`}>
          <dl className={`${shared.facts} ${classes.pairs}`}>
            {lines.map(({ label: name, phoneLabel, render, detail, isName, isId, sharesCardLine }) => (
              <div key={name} className={isName ? classes.cardName : undefined} data-half={sharesCardLine}>
                <dt>{phoneLabel ?? name}</dt>
                <dd className={isId ? classes.id : undefined}>
                  {detail ? <span>{render(row)}</span> : render(row)}
                  <Detail>{detail?.(row)}</Detail>
                </dd>
              </div>
            ))}
          </dl>
          {actions && <div className={classes.cardActions}>{actions(row)}</div>}
        </li>
      ))}
    </ul>
  )
}

/** Replaces the sortable headings, which cards do not have. */
export const OrderSelect = <R, F extends string>({
  columns,
  state: { effectiveOrder, setOrder },
}: {
  columns: Column<R, F>[]
  state: ListState<F>
}) => {
  const orders = columns.flatMap(({ label, phoneLabel, sort }) =>
    sort
      ? [
          { value: sort, label: `${phoneLabel ?? label}, crescente` },
          { value: `-${sort}`, label: `${phoneLabel ?? label}, decrescente` },
        ]
      : [],
  )
  if (orders.length === 0) return null
  return (
    <NativeSelect
      aria-label="Ordenar por"
      flex="1 1 9rem"
      data={effectiveOrder ? orders : [{ value: '', label: 'Ordenar por…' }, ...orders]}
      value={effectiveOrder ?? ''}
      onChange={(event) => setOrder((event.currentTarget.value || undefined) as Order<F> | undefined)}
    />
  )
}

const CardSkeletons = ({ count, lines }: { count: number; lines: number }) => (
  <div className={classes.cards} aria-hidden>
    {Array.from({ length: count }, (_, card) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: bare placeholder cards, never reordered
      <div key={card} className={`${shared.surface} ${classes.card}`}>
        {Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Skeleton key={line} height={line === 0 ? 20 : 15} width={`${[60, 85, 45][line % 3]}%`} mb="sm" />
        ))}
      </div>
    ))}
  </div>
)
