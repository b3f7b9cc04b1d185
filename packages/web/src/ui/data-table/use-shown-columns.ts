import { z } from '@bi-manager/contract'
import { useState } from 'react'
import { currentSession } from '../../lib/session/session.ts'
import type { Column } from './columns.ts'

/** Labels of the hidden columns, so that a column of a later version is shown. */
const Hidden = z.array(z.string())

/** Returns the key in localStorage, which differs by person and list. */
const keyOf = (list: string) => `bi-manager.colunas.${currentSession()?.usuario_id ?? 0}.${list}`

const storedIn = (key: string): string[] => {
  try {
    return Hidden.parse(JSON.parse(localStorage.getItem(key) ?? '[]'))
  } catch {
    return []
  }
}

/** The column that names the row stays, so that no list is without columns. */
export const isFixed = <R, F extends string>(column: Column<R, F>, columns: Column<R, F>[]): boolean =>
  column === (columns.find(({ isName }) => isName) ?? columns[0])

/**
 * Returns the columns that the person has not hidden, and functions that hide, show and reset them.
 * @param list the list's name, unique in the portal
 */
export const useShownColumns = <R, F extends string>(list: string, columns: Column<R, F>[]) => {
  const key = keyOf(list)
  // Kept with its key: a page may show another list in the same place.
  const [kept, setKept] = useState(() => ({ key, hidden: storedIn(key) }))
  const hidden = kept.key === key ? kept.hidden : storedIn(key)
  const store = (next: string[]) => {
    setKept({ key, hidden: next })
    if (next.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(next))
  }
  const isShown = (column: Column<R, F>) => isFixed(column, columns) || !hidden.includes(column.label)
  return {
    shown: columns.filter(isShown),
    isShown,
    toggle: ({ label }: Column<R, F>) =>
      store(hidden.includes(label) ? hidden.filter((name) => name !== label) : [...hidden, label]),
    showAll: () => store([]),
  }
}
