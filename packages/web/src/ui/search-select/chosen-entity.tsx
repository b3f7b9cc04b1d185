import { ApiProblem } from '@bi-manager/contract'
import { useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { SearchSelect } from './search-select.tsx'
import type { OptionSearch, SelectOption } from './select-options.ts'

interface ChosenEntityProps {
  label: string
  placeholder: string
  hideLabel?: boolean
  /** Shown for an id in the link that does not exist: 'Usuário não encontrado.' */
  notFound: string
  queryKey: readonly string[]
  search: OptionSearch<number>
  id: number | undefined
  /** The entity of `id`, once loaded. */
  entity: { option: SelectOption | undefined; error: unknown }
  onChoose: (id: number | undefined) => void
}

/** A searchable field whose choice is kept as an id in the address. */
export const ChosenEntity = ({ id, entity, notFound, onChoose, ...field }: ChosenEntityProps) => {
  const [chosen, setChosen] = useState<SelectOption | null>(null)
  const shown = entity.option ?? (chosen?.value === id ? chosen : undefined)
  const isUnknown = entity.error instanceof ApiProblem && entity.error.status === 404
  return (
    <SearchSelect
      {...field}
      value={
        id === undefined ? null : (shown ?? { value: id, label: entity.error ? `nº ${id}` : 'Carregando…' })
      }
      onChange={(option) => {
        setChosen(option)
        onChoose(option?.value)
      }}
      error={entity.error ? (isUnknown ? notFound : messageOf(entity.error)) : undefined}
    />
  )
}
