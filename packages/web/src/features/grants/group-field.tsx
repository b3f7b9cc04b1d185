import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import classes from './grants.module.css'
import { groupQuery, searchGroups } from './grants-queries.ts'

interface GroupFieldProps {
  /** The workspace whose reports are shown. */
  grupo: number | undefined
  /** Called when 'Buscar Relatórios' is pressed, or with undefined when the choice is cleared. */
  onOpen: (grupo: number | undefined) => void
}

/** Selects a workspace; its reports are fetched only on 'Buscar Relatórios'. */
export const GroupField = ({ grupo, onOpen }: GroupFieldProps) => {
  const known = useQuery({ ...groupQuery(grupo ?? 0), enabled: grupo !== undefined })
  /** The selected workspace, opened or not. */
  const [chosen, setChosen] = useState<SelectOption | null>(null)
  const [shownFor, setShownFor] = useState(grupo)
  const [isMissing, setMissing] = useState(false)
  // A changed URL (Back button) replaces a choice that was not opened.
  if (shownFor !== grupo) {
    setShownFor(grupo)
    if (chosen && chosen.value !== grupo) setChosen(null)
  }
  const value =
    chosen ?? (grupo === undefined ? null : { value: grupo, label: known.data?.nomeGrupo ?? `nº ${grupo}` })

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    setMissing(value === null)
    if (value) onOpen(value.value)
  }

  return (
    <form noValidate onSubmit={handleSubmit} className={classes.chooser} aria-label="Escolher o grupo">
      <div>
        <SearchSelect
          label="Grupo"
          placeholder="Pesquisar grupo..."
          emptyText="Sem resultados para essa pesquisa"
          queryKey={['workspaces', 'grupos']}
          search={searchGroups}
          value={value}
          error={isMissing && 'Escolha um grupo na lista.'}
          onChange={(option) => {
            setMissing(false)
            setChosen(option)
            if (!option) onOpen(undefined)
          }}
        />
      </div>
      <Button type="submit" leftSection={<IconSearch size={18} aria-hidden />}>
        Buscar Relatórios
      </Button>
    </form>
  )
}
