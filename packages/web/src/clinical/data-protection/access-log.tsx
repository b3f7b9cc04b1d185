import { type AccessEntry, accessActions, accessObjects, dataProtectionApi } from '@bi-manager/contract'
import { Stack } from '@mantine/core'
import { call } from '../../lib/api/api.ts'
import { useList } from '../../lib/lists/use-list.ts'
import { clockName, exactTime } from '../../lib/text/relative-time.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import shared from '../../ui/shared.module.css'
import { AuthorName } from '../medical-records/author-name.tsx'
import classes from './data-protection.module.css'
import { accessesKey } from './data-protection-queries.ts'

/** The access log of a beneficiary: who read or changed the data, when and why. */
export const AccessLog = ({ id }: { id: number }) => {
  const list = useList({
    queryKey: accessesKey(id),
    endpoint: dataProtectionApi.accesses,
    params: { id },
    fields: [],
    isLogged: true,
  })
  return (
    <Stack component="section" gap="lg" mt="0.75rem" aria-labelledby="acessos">
      <div className={shared.spread}>
        <div>
          <h2 id="acessos" className={shared.heading}>
            Quem acessou
          </h2>
          <p className={classes.help}>Leituras, mudanças e exportações, no {clockName}.</p>
        </div>
        <CsvButton
          fileName={`acessos-beneficiario-${id}.csv`}
          download={() => call(dataProtectionApi.accessesCsv, { params: { id } })}
        />
      </div>
      <DataTable
        list={list}
        label="Registro de acessos"
        columns={columns}
        rowKey={({ idAcesso }) => idAcesso}
        empty={{ text: 'Ninguém acessou os dados desta pessoa ainda.' }}
      />
    </Stack>
  )
}

const columns: Column<AccessEntry, never>[] = [
  {
    label: 'Quando',
    width: '12rem',
    render: ({ quando }) => <time dateTime={quando}>{exactTime(quando)}</time>,
  },
  {
    label: 'Quem',
    isName: true,
    width: '26%',
    render: ({ nomeUsuario, idUsuario }) => (
      <AuthorName nome={nomeUsuario} idUsuario={idUsuario} registro={null} />
    ),
  },
  { label: 'Ação', width: '9rem', render: ({ acao }) => accessActions[acao] },
  {
    label: 'O quê',
    width: '11rem',
    render: ({ objeto, idObjeto }) => `${accessObjects[objeto]} nº ${idObjeto}`,
  },
  { label: 'Finalidade', render: ({ finalidade }) => finalidade },
]
