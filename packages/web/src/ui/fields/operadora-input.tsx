import { OPERADORAS } from '@bi-manager/contract'
import { Autocomplete, type AutocompleteProps } from '@mantine/core'
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
      {...props}
      data={[...new Set([...data, ...OPERADORAS])]}
    />
  )
}
