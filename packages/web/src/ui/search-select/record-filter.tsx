import type { ComponentProps } from 'react'
import classes from './search-select.module.css'
import { SearchSelect } from './search-select.tsx'

type RecordFilterProps = Omit<ComponentProps<typeof SearchSelect<number>>, 'hideLabel' | 'label'> & {
  /** 'Filtrar por workspace' */
  label: string
}

/** A list's filter by a record, next to its search. */
export const RecordFilter = (props: RecordFilterProps) => (
  <div className={classes.filter}>
    <SearchSelect hideLabel {...props} />
  </div>
)
