import { ApiProblem, responsiblesApi } from '@bi-manager/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callList, messageOf } from '../../lib/api/api.ts'
import { normalised } from '../../lib/text/search-text.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import { type SelectOption, searchOptions } from '../../ui/search-select/select-options.ts'
import { responsiblesKey } from './connections-queries.ts'

interface ResponsibleFieldProps {
  name: string
  value: SelectOption | null
  onChange: (option: SelectOption | null) => void
  error: string | undefined
}

/** The field 'Responsável': selects a registered unit or adds one under the typed name. */
export const ResponsibleField = ({ error, ...field }: ResponsibleFieldProps) => {
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: addResponsible,
    networkMode: 'always',
    onSuccess: (added) => {
      field.onChange(added)
      void queryClient.invalidateQueries({ queryKey: responsiblesKey })
    },
  })
  return (
    <SearchSelect
      label="Responsável"
      placeholder="Pesquise ou digite um nome novo"
      queryKey={responsiblesKey}
      search={searchResponsibles}
      {...field}
      onChange={(option) => {
        adding.reset()
        field.onChange(option)
      }}
      extra={{
        labelOf: (text, options) => (text && !isListed(text, options) ? `Adicionar “${text}”` : undefined),
        onChoose: (text) => adding.mutate(text),
      }}
      disabled={adding.isPending}
      description={adding.isPending ? `Adicionando “${adding.variables}”…` : undefined}
      error={adding.error ? faultOf(adding.error) : error}
    />
  )
}

const toOption = ({
  idResponsavel,
  nomeResponsavel,
}: {
  idResponsavel: number
  nomeResponsavel: string
}): SelectOption => ({ value: idResponsavel, label: nomeResponsavel })

const searchResponsibles = searchOptions(responsiblesApi.list, toOption)

const isListed = (name: string, options: SelectOption[]): boolean =>
  options.some(({ label }) => normalised(label) === normalised(name))

/**
 * Adds a unit, or returns the existing one of the same name: another user may have added it, or it
 * was not among the options shown.
 */
const addResponsible = async (name: string): Promise<SelectOption> => {
  try {
    return toOption(await call(responsiblesApi.create, { body: { nomeResponsavel: name } }))
  } catch (error) {
    if (!(error instanceof ApiProblem && error.codigo === 'responsavel_ja_cadastrado')) throw error
    const { rows } = await callList(responsiblesApi.list, {
      query: { busca: name.slice(0, 200), pagina: 1, tamanho: 100 },
    })
    const existing = rows.find(({ nomeResponsavel }) => normalised(nomeResponsavel) === normalised(name))
    if (!existing) throw error
    return toOption(existing)
  }
}

const faultOf = (error: unknown): string =>
  (error instanceof ApiProblem && error.campos.nomeResponsavel) || messageOf(error)
