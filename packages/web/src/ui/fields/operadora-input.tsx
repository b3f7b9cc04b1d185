import { ALL_OPERADORAS, OPERADORAS } from '@bi-manager/contract'
import { Autocomplete, type AutocompleteProps, defaultOptionsFilter } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { operadorasQuery } from '../../lib/api/entity-queries.ts'

/** A field for an operadora, which suggests those in use and the specification's. */
export const OperadoraInput = (props: Omit<AutocompleteProps, 'data'>) => {
  const { data = [] } = useQuery(operadorasQuery)
  return (
    <Autocomplete
      placeholder="Escolha ou digite"
      maxDropdownHeight={300}
      maxLength={80}
      filter={suggested}
      {...props}
      data={[...new Set([ALL_OPERADORAS, ...data, ...OPERADORAS])]}
    />
  )
}

type Filter = NonNullable<AutocompleteProps['filter']>

/** A chosen operadora does not hide the others, as a typed text hides those without it. */
const suggested: Filter = (input) =>
  input.options.some((option) => 'value' in option && option.value === input.search)
    ? input.options
    : (defaultOptionsFilter(input) as ReturnType<Filter>)
