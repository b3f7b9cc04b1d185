import { NativeSelect } from '@mantine/core'
import { AdminPage } from '../../ui/page/admin-page.tsx'
import shared from '../../ui/shared.module.css'
import { PeriodControl } from './period-control.tsx'
import classes from './usage.module.css'
import { GroupedUsage, PeopleWithoutSignIn, UnusedReports, UsageDetails } from './usage-lists.tsx'
import { UsageSummarySection } from './usage-summary.tsx'
import { UNUSED_DAYS, type UsageTableName, usageTables, useUsageView } from './use-usage-view.ts'

const option = (value: UsageTableName) => ({ value, label: usageTables[value].label })

const options = [
  { group: 'Uso por', items: (['relatorios', 'workspaces', 'pessoas', 'perfis'] as const).map(option) },
  {
    group: 'Dentro dos relatórios',
    items: (['paginas', 'filtros', 'exportacoes', 'erros'] as const).map(option),
  },
  { group: 'Sem uso', items: (['sem-uso', 'nunca-entraram'] as const).map(option) },
]

/** '/uso': how reports are used, for administrators. */
export const UsagePage = () => {
  const { ver, dias, semUso, chooseTable, choosePeriod, chooseUnused } = useUsageView()
  return (
    <AdminPage
      title="Uso"
      lead="Quem abre os relatórios, quanto eles demoram e o que ninguém usa."
      actions={<PeriodControl days={dias} onChoose={choosePeriod} />}
    >
      <UsageSummarySection days={dias} />
      <section className={shared.stackMd} aria-label="Tabelas de uso">
        <div className={classes.choice}>
          <NativeSelect
            label="Tabela"
            data={options}
            value={ver}
            onChange={({ currentTarget: { value } }) => chooseTable(value)}
          />
          {ver === 'sem-uso' && (
            <NativeSelect
              label="Sem visualizações há"
              data={UNUSED_DAYS.map((days) => ({ value: String(days), label: `${days} dias` }))}
              value={String(semUso)}
              onChange={({ currentTarget: { value } }) => chooseUnused(value)}
            />
          )}
        </div>
        <Table key={ver} ver={ver} dias={dias} semUso={semUso} />
      </section>
    </AdminPage>
  )
}

type TableProps = Pick<ReturnType<typeof useUsageView>, 'ver' | 'dias' | 'semUso'>

const Table = ({ ver, dias, semUso }: TableProps) => {
  const { list } = usageTables[ver]
  if (list === 'semUso') return <UnusedReports days={semUso} />
  if (list === 'nuncaEntraram') return <PeopleWithoutSignIn />
  return 'por' in list ? (
    <GroupedUsage por={list.por} days={dias} />
  ) : (
    <UsageDetails tipo={list.tipo} days={dias} />
  )
}
