import {
  type AuditedName,
  auditedNameText,
  type Entity,
  entities,
  listCallOf,
  ownValue,
  pageTitles,
} from '@bi-manager/contract'
import { NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { SEARCH_DELAY_MS } from '../../lib/lists/list-state.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { SearchSelect } from '../../ui/search-select/search-select.tsx'
import { type OptionSearch, type SelectOption, searchOptions } from '../../ui/search-select/select-options.ts'
import classes from './audit.module.css'
import { auditKey } from './audit-queries.ts'
import { objectKinds, objectParts, objectText } from './audit-texts.ts'
import type { AuditFilter } from './use-audit-filter.ts'

interface ObjectFieldsProps {
  objeto: string | undefined
  choose: (changes: AuditFilter) => void
  nameOf: (objeto: string) => AuditedName | undefined
}

/** Filters by a kind of object, or by one object's name or number. */
export const ObjectFields = ({ objeto, choose, nameOf }: ObjectFieldsProps) => {
  const parts = objectParts(objeto ?? '')
  // An object without a known kind (a route, a list, the settings) has neither name nor number.
  const isKnown = Object.hasOwn(objectKinds, parts.kind)
  const { kind, id } = isKnown ? parts : { kind: objeto ?? '', id: '' }
  const { typed, type } = useTypedId({ objeto, kind, id, choose })
  const [chosen, setChosen] = useState<SelectOption<string> & { kind: string }>()
  const search = objectSearches[kind]
  const labelOf = (key: string) => {
    if (chosen?.kind === kind && chosen.value === id) return chosen.label
    // The names of pages are known even if no listed entry contains them.
    return ownValue(pageNames, key) ?? auditedNameText(key, nameOf(key)) ?? id
  }
  return (
    <div className={classes.narrowing} data-named={search ? true : undefined}>
      <NativeSelect
        label="Objeto"
        data={[
          { value: '', label: 'Qualquer objeto' },
          ...Object.entries(objectKinds).map(([value, label]) => ({ value, label })),
          ...(isKnown || kind === '' ? [] : [{ value: kind, label: objectText(kind) }]),
        ]}
        value={kind}
        onChange={({ currentTarget: { value } }) => choose({ objeto: value || undefined })}
      />
      {search && (
        <SearchSelect
          key={kind}
          label="Nome"
          placeholder="Qualquer um"
          queryKey={[...auditKey, 'objetos', kind]}
          search={search}
          value={id ? { value: id, label: labelOf(`${kind}:${id}`) } : null}
          onChange={(option) => {
            setChosen(option ? { ...option, kind } : undefined)
            choose({ objeto: option ? `${kind}:${option.value}` : kind })
          }}
        />
      )}
      {kind !== 'pagina' && (
        <TextInput
          label="Nº"
          inputMode="numeric"
          placeholder="todos"
          maxLength={10}
          disabled={!isKnown}
          value={typed}
          onChange={({ currentTarget: { value } }) => type(value)}
        />
      )}
    </div>
  )
}

const pageNames: Record<string, string> = Object.fromEntries(
  Object.entries(pageTitles).map(([rota, title]) => [`pagina:${rota}`, title]),
)

interface TypedId extends Pick<ObjectFieldsProps, 'objeto' | 'choose'> {
  kind: string
  id: string
}

/** State of the typed number, which is written to the URL after a debounce. */
const useTypedId = ({ objeto, kind, id, choose }: TypedId) => {
  const [typed, setTyped] = useState(id)
  const sent = useRef(objeto)
  // Follow changes from outside: the kind, a name, the Back button or 'Limpar filtros'.
  useEffect(() => {
    if (objeto === sent.current) return
    sent.current = objeto
    setTyped(id)
  }, [objeto, id])
  const chooseLater = useDebouncedCallback((number: string) => {
    const next = number ? `${kind}:${number}` : kind
    sent.current = next
    choose({ objeto: next })
  }, SEARCH_DELAY_MS)
  return {
    typed,
    type: (text: string) => {
      const number = text.replace(/\D/g, '')
      setTyped(number)
      chooseLater(number)
    },
  }
}

const searchOf = (entity: Entity, name: string): OptionSearch<string> =>
  searchOptions(listCallOf(entity), (row) => ({
    value: String(row[entity.wireId ?? entity.id]),
    label: String(row[name]),
    description: entity.hint && String(row[entity.hint]),
  }))

/** Searches by name, by kind of object. */
const objectSearches: Record<string, OptionSearch<string>> = {
  ...Object.fromEntries(
    entities.flatMap((entity: Entity) => (entity.name ? [[entity.kind, searchOf(entity, entity.name)]] : [])),
  ),
  pagina: async (text) =>
    Object.entries(pageTitles)
      .map(([value, label]) => ({ value, label }))
      .filter(({ label }) => matchesSearch(label, text)),
}
