import type { ListState } from '../../lib/lists/list-state.ts'
import { PageSearch } from '../page-search/page-search.tsx'
import classes from './data-table.module.css'

interface ListSearchProps {
  /** 'Buscar workspace'. */
  label: string
  state: Pick<ListState, 'typed' | 'type'>
  isBusy: boolean
}

/** A list's search field. */
export const ListSearch = ({ label, state: { typed, type }, isBusy }: ListSearchProps) => (
  <PageSearch label={label} className={classes.search} isBusy={isBusy} value={typed} onChange={type} />
)
