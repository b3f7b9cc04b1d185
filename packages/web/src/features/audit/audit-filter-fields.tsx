import type { AuditedName } from '@bi-manager/contract'
import { Button, NativeSelect } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DayField } from '../../ui/day-field/day-field.tsx'
import { ChosenRecord } from '../../ui/search-select/chosen-record.tsx'
import { searchUsers, userOption } from '../../ui/search-select/user-options.ts'
import classes from './audit.module.css'
import { userQuery, usersKey } from './audit-queries.ts'
import { actionGroups, isAction } from './audit-texts.ts'
import { ObjectFields } from './object-fields.tsx'
import type { useAuditFilter } from './use-audit-filter.ts'

interface AuditFilterFieldsProps extends ReturnType<typeof useAuditFilter> {
  /** Returns an object's name if a listed entry contains it. */
  nameOf: (objeto: string) => AuditedName | undefined
}

/** The filters by user, action, object and period. */
export const AuditFilterFields = ({
  filter,
  isInverted,
  isSet,
  choose,
  clear,
  nameOf,
}: AuditFilterFieldsProps) => {
  // A new key per clearing also resets incomplete and invalid input.
  const [clearings, setClearings] = useState(0)
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
      <ObjectFields key={`objeto ${clearings}`} objeto={filter.objeto} choose={choose} nameOf={nameOf} />
      <div className={classes.period}>
        <DayField
          key={`de ${clearings}`}
          label="De"
          value={filter.de}
          max={filter.ate}
          error={isInverted ? 'A data inicial é posterior à final.' : undefined}
          onChange={(de) => choose({ de })}
        />
        <DayField
          key={`ate ${clearings}`}
          label="Até"
          value={filter.ate}
          min={filter.de}
          onChange={(ate) => choose({ ate })}
        />
      </div>
      {isSet && (
        <Button
          variant="subtle"
          color="gray"
          className={classes.clear}
          leftSection={<IconFilterOff size={17} aria-hidden />}
          onClick={() => {
            setClearings(clearings + 1)
            clear()
          }}
        >
          Limpar filtros
        </Button>
      )}
    </search>
  )
}
