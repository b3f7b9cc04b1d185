import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useChooseFilters } from '../../lib/lists/use-change-search.ts'
import { entityIdOf } from '../entity-form/entity-page.tsx'
import type { SelectOption } from './select-options.ts'

/**
 * State of a list's filter by an entity, kept in the URL.
 * @param param the URL's parameter with the entity's id
 */
export const useEntityFilter = (param: string) => {
  const [params] = useSearchParams()
  const chooseFilters = useChooseFilters()
  const id = entityIdOf(params.get(param))
  const [chosen, setChosen] = useState<SelectOption>()
  const known = chosen !== undefined && chosen.value === id ? chosen : undefined
  return {
    id,
    /** The id of an entity whose name is not known yet: read it. */
    unnamed: known ? undefined : id,
    /** Returns the chosen option, with the name that was read or a replacement. */
    optionOf: (name: string | undefined, replacement: string): SelectOption | null =>
      id === undefined ? null : (known ?? { value: id, label: name ?? replacement }),
    choose: (option: SelectOption | null) => {
      setChosen(option ?? undefined)
      chooseFilters({ [param]: option?.value })
    },
  }
}
