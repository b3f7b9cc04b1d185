import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useChangeSearch } from '../../lib/lists/use-change-search.ts'
import { recordIdOf } from '../../ui/record-form/record-page.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import { groupQuery } from './report-records-queries.ts'

const PARAM = 'idGrupoRelatorio'

/** State of the list's workspace filter, kept in the URL. */
export const useGroupFilter = () => {
  const [params] = useSearchParams()
  const changeSearch = useChangeSearch()
  const id = recordIdOf(params.get(PARAM))
  const [chosen, setChosen] = useState<SelectOption>()
  const isKnown = chosen !== undefined && chosen.value === id
  const { data, error } = useQuery({ ...groupQuery(id ?? 0), enabled: id !== undefined && !isKnown })

  const label = data?.nomeGrupo ?? (error ? `Workspace ${id}` : 'Carregando…')
  return {
    id,
    value: id === undefined ? null : isKnown ? chosen : { value: id, label },
    choose: (group: SelectOption | null) => {
      setChosen(group ?? undefined)
      changeSearch((params) => {
        params.delete('pagina')
        if (group) params.set(PARAM, String(group.value))
        else params.delete(PARAM)
      })
    },
  }
}
