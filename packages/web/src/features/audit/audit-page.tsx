import { type AuditEntry, auditApi } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { IconCalendarX } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { clockName, exactTime } from '../../lib/text/relative-time.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import { InlineMessage } from '../../ui/inline-message.tsx'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import classes from './audit.module.css'
import { AuditDetails } from './audit-details.tsx'
import { AuditFilterFields } from './audit-filter-fields.tsx'
import { auditKey } from './audit-queries.ts'
import { actionText, personText } from './audit-texts.ts'
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
      <AuditFilterFields {...narrowing} nameOf={(objeto) => namesIn(list.rows, objeto)} />
      {narrowing.isInverted ? (
        <InlineMessage icon={IconCalendarX}>Corrija o período para ver os registros.</InlineMessage>
      ) : (
        <DataTable
          list={list}
          label="Registros de auditoria"
          columns={columns}
          rowKey={({ idAuditoria }) => idAuditoria}
          empty={{ text: 'Nada foi registrado ainda.' }}
          isFiltered={narrowing.isSet}
        />
      )}
      <AuditDetails entry={chosen} onClose={() => setChosen(undefined)} onNarrow={narrowing.choose} />
    </AdminPage>
  )
}

/** Returns an object's name if one of the rows contains it. */
const namesIn = (rows: AuditEntry[] | undefined, objeto: string) =>
  rows?.find(({ nomes }) => objeto in nomes)?.nomes[objeto]
