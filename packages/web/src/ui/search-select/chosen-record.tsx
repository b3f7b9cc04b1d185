import { ApiProblem } from '@bi-manager/contract'
import { useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { SearchSelect } from './search-select.tsx'
import type { OptionSearch, SelectOption } from './select-options.ts'

interface ChosenRecordProps {
  label: string
  placeholder: string
  hideLabel?: boolean
  /** Shown for an id in the link that does not exist: 'Usuário não encontrado.' */
  notFound: string
  queryKey: readonly string[]
  search: OptionSearch<number>
  id: number | undefined
  /** The record of `id`, once loaded. */
  record: { option: SelectOption | undefined; error: unknown }
  onChoose: (id: number | undefined) => void
}

/** A searchable field whose choice is kept as an id in the address. */
export const ChosenRecord = ({ id, record, notFound, onChoose, ...field }: ChosenRecordProps) => {
  const [chosen, setChosen] = useState<SelectOption | null>(null)
  const shown = record.option ?? (chosen?.value === id ? chosen : undefined)
  const isUnknown = record.error instanceof ApiProblem && record.error.status === 404
  return (
    <SearchSelect
      {...field}
      value={
        id === undefined ? null : (shown ?? { value: id, label: record.error ? `nº ${id}` : 'Carregando…' })
      }
      onChange={(option) => {
        setChosen(option)
        onChoose(option?.value)
      }}
      error={record.error ? (isUnknown ? notFound : messageOf(record.error)) : undefined}
    />
  )
}
