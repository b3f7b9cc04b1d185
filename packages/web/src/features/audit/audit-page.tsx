import { type AuditEntry, auditApi } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useList } from '../../lib/use-list.ts'
import { AdminPage } from '../../ui/admin-page.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { countText } from '../../ui/data-table/page-range.ts'
import classes from './audit.module.css'
import { AuditDetails } from './audit-details.tsx'
import { AuditFilterFields } from './audit-filter-fields.tsx'
import { auditKey } from './audit-queries.ts'
import { actionText, momentText, objectText, personText } from './audit-texts.ts'
import { useAuditFilter } from './use-audit-filter.ts'

/** Who did what, when and to what: the trail that nobody can change unseen. */
export const AuditPage = () => {
  const narrowing = useAuditFilter()
  const list = useList({
    queryKey: auditKey,
    endpoint: auditApi.list,
    fields: [],
    filter: { ...narrowing.filter },
  })
  const [chosen, setChosen] = useState<AuditEntry>()
  const columns: Column<AuditEntry, never>[] = [
    {
      label: 'Quando',
      width: '13rem',
      render: ({ quando }) => <time dateTime={quando}>{momentText(quando)}</time>,
    },
    { label: 'Quem', width: '20%', render: personText },
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
    { label: 'Objeto', width: '18%', isId: true, render: ({ objeto }) => objectText(objeto) },
    { label: 'Endereço', width: '9.5rem', isId: true, render: ({ endereco }) => endereco ?? '—' },
  ]
  return (
    <AdminPage
      title="Auditoria"
      lead={list.rows && countText(list.total, list.isCapped, ['registro', 'registros'])}
      actions={
        <CsvButton
          fileName="auditoria.csv"
          download={() => call(auditApi.exportCsv, { query: narrowing.filter })}
        />
      }
    >
      <AuditFilterFields {...narrowing} />
      <DataTable
        list={list}
        label="Registros de auditoria"
        columns={columns}
        rowKey={({ idAuditoria }) => idAuditoria}
        empty={{ text: 'Nada foi registrado ainda.' }}
        isFiltered={narrowing.isSet}
      />
      <AuditDetails entry={chosen} onClose={() => setChosen(undefined)} onNarrow={narrowing.choose} />
    </AdminPage>
  )
}
