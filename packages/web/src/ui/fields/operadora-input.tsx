import { ALL_OPERADORAS, OPERADORAS } from '@bi-manager/contract'
import { Autocomplete, type AutocompleteProps, defaultOptionsFilter } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { operadorasQuery } from '../../lib/api/entity-queries.ts'

/** A field for an operadora, which suggests those in use and the specification's. */
export const OperadoraInput = ({ onFocus, ...props }: Omit<AutocompleteProps, 'data'>) => {
  const { data = [] } = useQuery(operadorasQuery)
  const [before, setBefore] = useState<string>()
  /** The operadora that the field had does not hide the others, as a typed text hides those without it. */
  const suggested: Filter = (input) =>
    input.search === before ? input.options : (defaultOptionsFilter(input) as ReturnType<Filter>)
  return (
    <Autocomplete
      placeholder="Escolha ou digite"
      maxDropdownHeight={300}
      maxLength={80}
      filter={suggested}
      onFocus={(event) => {
        setBefore(event.currentTarget.value)
        onFocus?.(event)
      }}
      {...props}
      data={[...new Set([ALL_OPERADORAS, ...data, ...OPERADORAS])]}
    />
  )
}

type Filter = NonNullable<AutocompleteProps['filter']>
