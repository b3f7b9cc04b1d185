import { type AuditEntry, type AuditedName, auditApi, usersApi } from '@bi-manager/contract'
import { Anchor, NativeSelect } from '@mantine/core'
import { IconCalendarX, IconFilterOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { entityQuery } from '../../lib/api/entities.ts'
import { usersKey } from '../../lib/api/query-keys.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { clockName, exactTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { DayField } from '../../ui/day-field/day-field.tsx'
import { useIsPhone } from '../../ui/folded-tools.tsx'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import { ChosenEntity } from '../../ui/search-select/chosen-entity.tsx'
import { searchUsers, userOption } from '../../ui/search-select/user-options.ts'
import classes from './audit.module.css'
import { AuditDetails } from './audit-details.tsx'
import { auditKey } from './audit-queries.ts'
import { actionGroups, actionText, isAction, personText } from './audit-texts.ts'
import { ObjectFields } from './object-fields.tsx'
import { ObjectName } from './object-name.tsx'
import { useAuditFilter } from './use-audit-filter.ts'

/** The audit trail: who did what, when, to which object. */
export const AuditPage = () => {
  const narrowing = useAuditFilter()
  const list = useList({
    queryKey: auditKey,
    endpoint: auditApi.list,
    fields: [],
    filter: { ...narrowing.filter },
    enabled: !narrowing.isInverted,
  })
  const [chosen, setChosen] = useState<AuditEntry>()
  const isPhone = useIsPhone()
  const filters = <AuditFilterFields {...narrowing} nameOf={(objeto) => namesIn(list.rows, objeto)} />
  const columns: Column<AuditEntry, never>[] = [
    {
      label: 'Quando',
      width: '13rem',
      render: ({ quando }) => <time dateTime={quando}>{exactTime(quando)}</time>,
    },
    { label: 'Quem', width: '18%', render: personText },
    {
      label: 'O quê',
      isName: true,
      render: (entry) => (
        <Anchor
          component="button"
          type="button"
          className={classes.what}
          aria-haspopup="dialog"
          aria-label={`${actionText(entry.acao)}, ver detalhes`}
          onClick={() => setChosen(entry)}
        >
          {actionText(entry.acao)}
        </Anchor>
      ),
    },
    { label: 'Objeto', width: '22%', isId: true, render: (entry) => <ObjectName {...entry} /> },
    { label: 'Endereço', width: '9.5rem', isId: true, render: ({ endereco }) => endereco ?? '—' },
  ]
  return (
    <AdminPage
      title="Auditoria"
      lead={
        !narrowing.isInverted &&
        list.rows &&
        `${countText(list.total, list.isCapped, ['registro', 'registros'])}, com dias e horas no ${clockName}`
      }
      actions={
        <CsvButton
          fileName="auditoria.csv"
          disabled={narrowing.isInverted}
          download={() => call(auditApi.exportCsv, { query: narrowing.filter })}
        />
      }
    >
      {!isPhone && filters}
      <DataTable
        list={list}
        label="Registros de auditoria"
        columns={columns}
        rowKey={({ idAuditoria }) => idAuditoria}
        empty={{ text: 'Nada foi registrado ainda.' }}
        isFiltered={narrowing.isSet}
        tools={isPhone && filters}
        instead={
          narrowing.isInverted && (
            <InlineMessage icon={IconCalendarX}>Corrija o período para ver os registros.</InlineMessage>
          )
        }
      />
      <AuditDetails entry={chosen} onClose={() => setChosen(undefined)} onNarrow={narrowing.choose} />
    </AdminPage>
  )
}

/** Returns an object's name if one of the rows contains it. */
const namesIn = (rows: AuditEntry[] | undefined, objeto: string) =>
  rows?.find(({ nomes }) => Object.hasOwn(nomes, objeto))?.nomes[objeto]

interface AuditFilterFieldsProps extends ReturnType<typeof useAuditFilter> {
  /** Returns an object's name if a listed entry contains it. */
  nameOf: (objeto: string) => AuditedName | undefined
}

/** The filters by user, action, object and period. */
const AuditFilterFields = ({ filter, isInverted, isSet, choose, clear, nameOf }: AuditFilterFieldsProps) => {
  // A new key per clearing also resets incomplete and invalid input.
  const [clearings, setClearings] = useState(0)
  const user = useQuery(entityQuery(usersKey, usersApi.get, filter.idUsuario))
  return (
    <search className={classes.filters} aria-label="Filtros">
      <ChosenEntity
        label="Quem"
        placeholder="Qualquer pessoa"
        notFound="Esta pessoa não está mais cadastrada; os registros dela continuam aqui."
        queryKey={usersKey}
        search={searchUsers}
        id={filter.idUsuario}
        entity={{ option: user.data && userOption(user.data), error: user.error }}
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
        <ActionButton
          variant="subtle"
          icon={IconFilterOff}
          label="Limpar filtros"
          color="gray"
          className={classes.clear}
          onClick={() => {
            setClearings(clearings + 1)
            clear()
          }}
        />
      )}
    </search>
  )
}
