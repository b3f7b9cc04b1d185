import type { ComponentProps } from 'react'
import classes from './search-select.module.css'
import { SearchSelect } from './search-select.tsx'

type EntityFilterProps = Omit<ComponentProps<typeof SearchSelect<number>>, 'hideLabel' | 'label'> & {
  /** 'Filtrar por workspace' */
  label: string
}

/** A list's filter by an entity, next to its search. */
export const EntityFilter = (props: EntityFilterProps) => (
  <div className={classes.filter}>
    <SearchSelect hideLabel {...props} />
  </div>
)
