import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { workspaceQuery } from '../../lib/api/record-queries.ts'
import { useChooseFilters } from '../../lib/lists/use-change-search.ts'
import { recordIdOf } from '../../ui/record-form/record-page.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'

const PARAM = 'idGrupoRelatorio'

/** State of the list's workspace filter, kept in the URL. */
export const useGroupFilter = () => {
  const [params] = useSearchParams()
  const chooseFilters = useChooseFilters()
  const id = recordIdOf(params.get(PARAM))
  const [chosen, setChosen] = useState<SelectOption>()
  const isKnown = chosen !== undefined && chosen.value === id
  const { data, error } = useQuery(workspaceQuery(isKnown ? undefined : id))

  const label = data?.nomeGrupo ?? (error ? `Workspace ${id}` : 'Carregando…')
  return {
    id,
    value: id === undefined ? null : isKnown ? chosen : { value: id, label },
    choose: (group: SelectOption | null) => {
      setChosen(group ?? undefined)
      chooseFilters({ [PARAM]: group?.value })
    },
  }
}
