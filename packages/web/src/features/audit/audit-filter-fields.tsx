import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { SEARCH_DELAY_MS } from '../../lib/list-state.ts'
import { DayField } from '../../ui/day-field.tsx'
import { ChosenRecord } from '../../ui/search-select/chosen-record.tsx'
import classes from './audit.module.css'
import { searchUsers, userOption, userQuery, usersKey } from './audit-queries.ts'
import { actionGroups, isAction, objectKinds, objectParts, objectText } from './audit-texts.ts'
import type { useAuditFilter } from './use-audit-filter.ts'

type Narrowing = ReturnType<typeof useAuditFilter>

/** Person, kind, object and period. */
export const AuditFilterFields = ({ filter, isSet, choose, clear }: Narrowing) => {
  const user = useQuery(userQuery(filter.idUsuario))
  return (
    <search className={classes.filters} aria-label="Filtros">
      <ChosenRecord
        label="Quem"
        placeholder="Qualquer pessoa"
        notFound="Esta pessoa não está mais cadastrada; os registros dela continuam aqui."
        queryKey={usersKey}
        search={searchUsers}
        id={filter.idUsuario}
        record={{ option: user.data && userOption(user.data), error: user.error }}
        onChoose={(idUsuario) => choose({ idUsuario })}
      />
      <NativeSelect
        label="O quê"
        data={[{ value: '', label: 'Qualquer ação' }, ...actionGroups()]}
        value={filter.acao ?? ''}
        onChange={({ currentTarget: { value } }) => choose({ acao: isAction(value) ? value : undefined })}
      />
      <ObjectFields objeto={filter.objeto} choose={choose} />
      <DayField
        className={classes.day}
        label="De"
        value={filter.de}
        max={filter.ate}
        onChange={(de) => choose({ de })}
      />
      <DayField
        className={classes.day}
        label="Até"
        value={filter.ate}
        min={filter.de}
        onChange={(ate) => choose({ ate })}
      />
      {isSet && (
        <Button
          variant="subtle"
          color="gray"
          className={classes.clear}
          leftSection={<IconFilterOff size={17} aria-hidden />}
          onClick={clear}
        >
          Limpar filtros
        </Button>
      )}
    </search>
  )
}

/** A kind of object, and one of them by its number. */
const ObjectFields = ({ objeto, choose }: { objeto: string | undefined } & Pick<Narrowing, 'choose'>) => {
  const parts = objectParts(objeto ?? '')
  // What is of no kind (a route, a list) is shown as it is, and has no numbers.
  const isKnown = parts.kind in objectKinds
  const { kind, id } = isKnown ? parts : { kind: objeto ?? '', id: '' }
  const [typed, setTyped] = useState(id)
  const sent = useRef(objeto)
  // Changed from outside: by the kind, by Back, or 'Limpar filtros'.
  useEffect(() => {
    if (objeto === sent.current) return
    sent.current = objeto
    setTyped(id)
  }, [objeto, id])
  const chooseLater = useDebouncedCallback((text: string) => {
    const next = text.trim() ? `${kind}:${text.trim()}` : kind
    sent.current = next
    choose({ objeto: next })
  }, SEARCH_DELAY_MS)
  return (
    <div className={classes.object}>
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
      <TextInput
        label="Nº"
        inputMode={kind === 'pagina' ? 'text' : 'numeric'}
        placeholder="todos"
        maxLength={60}
        disabled={!isKnown}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value)
          chooseLater(value)
        }}
      />
    </div>
  )
}
