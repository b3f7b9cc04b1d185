import {
  type NeverSignedIn,
  type UnusedReport,
  type UsageDetail,
  type UsageDetailKind,
  type UsageGrouping,
  UsageOrder,
  type UsageRow,
  usageApi,
  usageFile,
} from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { exportQuery, useListState } from '../../lib/lists/list-state.ts'
import { useList, useListOf } from '../../lib/lists/use-list.ts'
import { statusNames } from '../../lib/text/status-names.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { textOfDay } from '../../ui/day-field/day-text.ts'
import { timeText } from './measures.tsx'
import { type UsageDays, usageKey } from './usage-queries.ts'

const countText = (value: number) => value.toLocaleString('pt-BR')

type Order = (typeof UsageOrder)[number]

const searchLabels = {
  relatorio: 'Buscar relatório',
  workspace: 'Buscar workspace',
  pessoa: 'Buscar pessoa',
  perfil: 'Buscar perfil',
}

const groupColumns = (por: UsageGrouping): Column<UsageRow, Order>[] => [
  {
    label: { relatorio: 'Relatório', workspace: 'Workspace', pessoa: 'Pessoa', perfil: 'Perfil' }[por],
    sort: 'nome',
    isName: true,
    render: ({ nome }) => nome,
    detail: ({ detalhe }) => detalhe,
  },
  {
    label: 'Visualizações',
    sort: 'visualizacoes',
    width: '15%',
    sharesCardLine: true,
    render: ({ visualizacoes }) => countText(visualizacoes),
  },
  {
    label: por === 'pessoa' ? 'Relatórios' : 'Leitores',
    sort: 'leitores',
    width: '11%',
    sharesCardLine: true,
    render: ({ leitores }) => countText(leitores),
  },
  {
    label: 'Páginas',
    sort: 'paginas',
    width: '11%',
    sharesCardLine: true,
    render: ({ paginas }) => countText(paginas),
  },
  { label: 'Mediana', width: '10%', sharesCardLine: true, render: ({ p50 }) => timeText(p50) },
  { label: '95% até', sort: 'p95', width: '12%', sharesCardLine: true, render: ({ p95 }) => timeText(p95) },
  {
    label: 'Erros',
    sort: 'erros',
    width: '10%',
    sharesCardLine: true,
    render: ({ erros }) => countText(erros),
  },
]

/** Usage by report, workspace, person or profile; the most used first. */
export const GroupedUsage = ({ por, days }: { por: UsageGrouping; days: UsageDays }) => {
  const state = useListState(UsageOrder)
  const list = useListOf(state, { queryKey: usageKey, endpoint: usageApi.list, filter: { por, dias: days } })
  return (
    <DataTable
      list={list}
      label="Uso"
      searchLabel={searchLabels[por]}
      columns={groupColumns(por)}
      rowKey={({ id }) => id}
      empty={{ text: 'Nenhum uso no período.' }}
      tools={
        <CsvButton
          fileName={`${usageFile(por, days)}.csv`}
          download={() => call(usageApi.listCsv, { query: { ...exportQuery(state), por, dias: days } })}
        />
      }
    />
  )
}

const detailLabels: Record<UsageDetailKind, string> = {
  pagina: 'Página',
  filtro: 'Filtro',
  exportacao: 'Formato',
  erro: 'Código do erro',
}

/** The most frequent pages, filters, exports or errors. */
export const UsageDetails = ({ tipo, days }: { tipo: UsageDetailKind; days: UsageDays }) => {
  const list = useList({
    queryKey: [...usageKey, 'detalhes'],
    endpoint: usageApi.details,
    fields: [],
    filter: { tipo, dias: days },
  })
  const columns: Column<UsageDetail, never>[] = [
    { label: detailLabels[tipo], isName: true, render: ({ nome }) => nome },
    { label: 'Relatório', width: '40%', render: ({ nomeRelatorio }) => nomeRelatorio },
    { label: 'Vezes', width: '14%', render: ({ vezes }) => countText(vezes) },
  ]
  return (
    <DataTable
      list={list}
      label="Detalhes do uso"
      columns={columns}
      rowKey={({ idRelatorio, nome }) => `${idRelatorio} ${nome}`}
      empty={{ text: 'Nada no período.' }}
      tools={
        <CsvButton
          fileName={`${usageFile(tipo, days)}.csv`}
          download={() => call(usageApi.detailsCsv, { query: { tipo, dias: days } })}
        />
      }
    />
  )
}

const unusedColumns: Column<UnusedReport, never>[] = [
  {
    label: 'Relatório',
    isName: true,
    render: ({ idRelatorio, nomeRelatorio }) => (
      <Anchor
        component={Link}
        to={`/RegisterworkspaceRelatorios/${idRelatorio}`}
        fw={600}
        c="inherit"
        underline="hover"
      >
        {nomeRelatorio}
      </Anchor>
    ),
  },
  { label: 'Workspace', width: '30%', render: ({ nomeGrupo }) => nomeGrupo },
  {
    label: 'Última visualização',
    width: '18%',
    render: ({ ultimo }) => (ultimo ? textOfDay(ultimo) : 'Nenhuma registrada'),
  },
  { label: 'Pessoas com acesso', width: '16%', render: ({ liberadoPara }) => countText(liberadoPara) },
]

/** Reports without a view for some days. */
export const UnusedReports = ({ days }: { days: number }) => {
  const list = useList({
    queryKey: [...usageKey, 'sem-uso'],
    endpoint: usageApi.unused,
    fields: [],
    filter: { dias: days },
  })
  return (
    <DataTable
      list={list}
      label="Relatórios sem uso"
      columns={unusedColumns}
      rowKey={({ idRelatorio }) => idRelatorio}
      empty={{ text: 'Nenhum: todos os relatórios foram abertos neste prazo, ou registrados dentro dele.' }}
      tools={
        <CsvButton
          fileName="relatorios-sem-uso.csv"
          download={() => call(usageApi.unusedCsv, { query: { dias: days } })}
        />
      }
    />
  )
}

const personColumns: Column<NeverSignedIn, never>[] = [
  {
    label: 'Nome',
    isName: true,
    render: ({ idUsuario, nomeUsuario }) => (
      <Anchor component={Link} to={`/cadastrar-usuario/${idUsuario}`} fw={600} c="inherit" underline="hover">
        {nomeUsuario}
      </Anchor>
    ),
  },
  { label: 'E-mail', width: '40%', render: ({ emailUsuario }) => emailUsuario },
  { label: 'Situação', width: '14%', render: ({ situacao }) => statusNames[situacao] },
]

/** People without any sign-in. */
export const PeopleWithoutSignIn = () => {
  const list = useList({
    queryKey: [...usageKey, 'nunca-entraram'],
    endpoint: usageApi.neverSignedIn,
    fields: [],
  })
  return (
    <DataTable
      list={list}
      label="Pessoas que nunca entraram"
      columns={personColumns}
      rowKey={({ idUsuario }) => idUsuario}
      empty={{ text: 'Todas as pessoas já entraram.' }}
      tools={
        <CsvButton
          fileName="pessoas-que-nunca-entraram.csv"
          download={() => call(usageApi.neverSignedInCsv)}
        />
      }
    />
  )
}
