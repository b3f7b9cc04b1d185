import { brazilianDayOf, type Capacity, capacitiesApi } from '@bi-manager/contract'
import { NativeSelect, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { serverNow } from '../../lib/clock/server-clock.ts'
import { dayText } from '../../lib/text/relative-time.ts'
import { BarChart } from '../../ui/chart/bar-chart.tsx'
import chartClasses from '../../ui/chart/chart.module.css'
import { CsvButton } from '../../ui/csv-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import classes from './capacities.module.css'
import { hoursQuery } from './capacities-queries.ts'
import { hoursText } from './capacity-texts.ts'

const monthFormat = new Intl.DateTimeFormat('pt-BR', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthName = (month: string) => monthFormat.format(new Date(`${month}-01T00:00:00Z`))

/** Hours of use per day of a month and per month, as a chart and in numbers. */
export const HoursSection = ({ capacity: { idCapacidade: id } }: { capacity: Capacity }) => {
  const thisMonth = dayText(serverNow()).split('/').slice(1).reverse().join('-')
  const [month, setMonth] = useState(thisMonth)
  const { data, error, isFetching, refetch } = useQuery(hoursQuery(id, month))
  // Also while another month loads or cannot be read.
  const { data: latest } = useQuery(hoursQuery(id, thisMonth))
  const months = latest?.meses.toReversed() ?? [{ mes: month, horas: 0 }]
  return (
    <section className={shared.panel} aria-labelledby="horas" aria-busy={isFetching}>
      <div className={shared.spread}>
        <h2 id="horas" className={shared.subheading}>
          Horas de uso
        </h2>
        <CsvButton
          fileName="horas-de-uso.csv"
          download={() => call(capacitiesApi.hoursCsv, { params: { id } })}
        />
      </div>
      <p className={shared.underHeading}>
        O portal confere a cada minuto se a capacidade está ativa e soma esse tempo.
      </p>
      <NativeSelect
        label="Mês"
        mt="sm"
        maw="16rem"
        value={month}
        onChange={({ currentTarget }) => setMonth(currentTarget.value)}
        data={months.map(({ mes }) => ({ value: mes, label: monthName(mes) }))}
      />
      {data ? (
        <>
          <Text mt="0.75rem" mb="0.5rem">
            Em {monthName(month)}: <strong>{hoursText(sumOf(data.dias))}</strong>.
          </Text>
          <HoursChart days={data.dias} />
          <details className={chartClasses.details}>
            <summary>Ver em números</summary>
            <div className={shared.columns}>
              <Numbers
                heading="Dia"
                rows={data.dias.toReversed().map(({ dia, horas }) => [brazilianDayOf(dia), horas])}
              />
              <Numbers heading="Mês" rows={months.map(({ mes, horas }) => [monthName(mes), horas])} />
            </div>
          </details>
        </>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={180} mt="0.75rem" radius="md" />
      )}
    </section>
  )
}

const sumOf = (days: { horas: number }[]) => days.reduce((sum, { horas }) => sum + horas, 0)

const Numbers = ({ heading, rows }: { heading: string; rows: [name: string, horas: number][] }) => (
  <table className={`${shared.table} ${classes.numbers}`}>
    <thead>
      <tr>
        <th scope="col">{heading}</th>
        <th scope="col">Horas</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, horas]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{hoursText(horas)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const HoursChart = ({ days }: { days: { dia: string; horas: number }[] }) => (
  <BarChart
    wideWidth={640}
    slots={31}
    levels={[0, 12, 24]}
    levelText={(hours) => `${hours} h`}
    bars={days.map(({ dia, horas }, index) => ({
      key: dia,
      value: horas,
      title: `${brazilianDayOf(dia)}: ${hoursText(horas)}`,
      label: index % 5 === 0 ? String(Number(dia.slice(8))) : undefined,
    }))}
  />
)
